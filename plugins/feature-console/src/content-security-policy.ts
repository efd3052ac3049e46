/**
 * Scripts and styles only from files of the service, connections only to it. Text becomes markup
 * or a script address only through the policy named in `trusted-types`, which is for texts that the
 * build has made: Markdown becomes nodes without being markup in between. Frames are panels of plugins, which
 * come from hosts of their own.
 */
export const contentSecurityPolicy: string = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types console',
].join('; ')

/**
 * The microphone is for dictation, which the console alone asks for: frames of other origins never get it, nor do those in a
 * sandbox, such as previews. Nothing else of a device is asked for.
 */
export const permissionsPolicy = 'microphone=(self), camera=(), geolocation=(), display-capture=(), usb=(), serial=(), hid=(), midi=()'
