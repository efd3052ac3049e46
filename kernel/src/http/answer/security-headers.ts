/** The headers that every answer carries. `publicUrl` is where clients reach the service: behind https they are told to stay there. */
export function securityHeaders(options: { readonly publicUrl: string | undefined }): Readonly<Record<string, string>> {
  const https = options.publicUrl?.startsWith('https://') ?? false
  return {
    'content-security-policy':
      "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; connect-src 'self' ws: wss:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    ...(https ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  }
}
