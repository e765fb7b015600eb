/** The one version there is, and the header that names it. */
export const VERSION_HEADER = 'Service-API-Version'
export const API_VERSION = '2026-05-26'
