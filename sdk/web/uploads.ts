/**
 * Files of the person on their way to the service, with progress: in one request, or in pieces that can be continued later.
 *
 * @packageDocumentation
 */

export { upload } from './api/upload.js'
export { uploadInPieces } from './api/upload-in-pieces.js'
