/** Of both MCP servers, and of the document that describes the API. */
export const MCP_VERSION = '1.0.0'

/** From this revision of the protocol on there is no handshake: every request says who asks, in its headers and in `_meta`. */
export const FIRST_STATELESS_REVISION = '2026-07-28'

/** Newest first; all but the first as the SDK has them, which is not loaded just to name them. */
export const PROTOCOL_VERSIONS: readonly string[] = [
  FIRST_STATELESS_REVISION,
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
]
