/**
 * Files of the person, shown in place: {@link createReading} reads one and watches it, {@link FileView} shows it.
 *
 * @packageDocumentation
 */

export { FileView } from './preview/file-view.js'
export { contentAddress, type ReadFile, type ShownFile } from './preview/read-file.js'
export { createReading, type Reading } from './preview/reading.js'
