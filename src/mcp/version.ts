/** Of both MCP servers, and of the document that describes the API. */
export const MCP_VERSION = '1.0.0'
