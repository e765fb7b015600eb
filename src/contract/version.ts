/** The one version there is, and the header that names it. */
export const VERSION_HEADER = 'Service-API-Version'
export const API_VERSION = '2026-05-26'

/** Of the document that describes the API; the API itself has a date. */
export const DESCRIPTION_VERSION = '1.0.0'
