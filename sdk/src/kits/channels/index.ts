/**
 * What channels have in common: calls that fail as the contract says, signatures of webhooks, splitting
 * of long texts, plain text out of Markdown, and quoting what was forwarded.
 *
 * @packageDocumentation
 */
export { retryAfterOf } from '../search/retry-after.js'
export { callVendor, type VendorCall } from './call-vendor.js'
export { forwardedText } from './forwarded-text.js'
export { segmentsOf, toGsmCharacters } from './gsm.js'
export { type ChannelHttpFailure, channelHttpFailure } from './http-failure.js'
export { plainTextOf } from './plain-text.js'
export { type GivenSignature, hmacOf, isRecent, isSameSecret, isSignedBy, isSignedByKey } from './signatures.js'
export { type ShortenOptions, type SplitOptions, shortenText, splitText } from './split-text.js'
export { textFits, textLengthOf } from './text-length.js'
export { listOf, parsedJson, textOf, type Values, valuesOf } from './values.js'
