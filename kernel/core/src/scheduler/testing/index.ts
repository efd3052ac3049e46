export { createRecordingLog, type RecordingLog } from './recording-log.js'
