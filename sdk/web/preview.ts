export { FileView } from './preview/file-view.js'
export { contentAddress, type ShownFile } from './preview/read-file.js'
export { createReading, type Reading } from './preview/reading.js'
