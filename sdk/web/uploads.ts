export { upload } from './api/upload.js'
export { uploadInPieces } from './api/upload-in-pieces.js'
