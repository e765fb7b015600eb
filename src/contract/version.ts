/** The API's only version, and the header that names it. */
export const VERSION_HEADER = 'Service-API-Version'
export const API_VERSION = '2026-05-26'

/** Version of the OpenAPI document; the API's own version is a date. */
export const DESCRIPTION_VERSION = '1.0.0'
