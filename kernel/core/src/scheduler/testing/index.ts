export { type RecordingLog, createRecordingLog } from './recording-log.js'
