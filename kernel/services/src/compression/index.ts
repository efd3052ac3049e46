export { type CompressedBytes, createCompressedBytes } from './compressed-bytes.js'
export { type Encoding, encodingFor, encodings } from './negotiate-encoding.js'
