/**
 * Whether a text is the origin of an app or an extension as a browser writes it: `app://obsidian.md`,
 * `chrome-extension://<id>`. Such an origin has a scheme of its own, and a host but no path. Origins of the web and
 * schemes whose origin is opaque (`file:`, `data:`, `blob:`) are none.
 */
export const isAppOrigin = (text: string): boolean => appOrigin.test(text) && !otherSchemes.test(text)

const appOrigin = /^[a-z][a-z0-9+.-]{0,99}:\/\/[A-Za-z0-9._-]{1,253}(?::\d{1,5})?$/
const otherSchemes = /^(?:https?|wss?|ftp|file|data|blob|filesystem|about|javascript):/
