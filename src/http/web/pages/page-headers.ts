import type { Site } from '../../../contract/public-urls.js'

/** No inline code, no foreign content except pictures, no framing. */
export function pageHeaders({ baseUrl, webUrl }: Site): Record<string, string> {
  const policy = {
    'default-src': "'none'",
    'base-uri': "'none'",
    'connect-src': `'self' ${baseUrl}`,
    'font-src': "'self'",
    'form-action': `'self' ${webUrl}`,
    'frame-ancestors': "'none'",
    'img-src': "'self' https: http:",
    'manifest-src': "'self'",
    'script-src': "'self'",
    'style-src': "'self'",
  }
  return {
    'Content-Security-Policy': Object.entries(policy)
      .map(([name, sources]) => `${name} ${sources}`)
      .join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    // Lets agents find the machine-readable documents from any page.
    Link: `<${webUrl}/llms.txt>; rel="describedby"; type="text/plain", <${webUrl}/openapi.json>; rel="service-desc"; type="application/json"`,
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  }
}
