export { type CallOutcome, outcomeOf, requestTo } from './call-outcome.js'
export { createRandom, cutRandomly, seedOfRun } from './random-cuts.js'
export { eventDocuments, openRecordings, type Recording, type RecordingKind, type Recordings } from './recordings.js'
export { bytesOf, type Replay, type ReplayServer, type SeenRequest, startReplayServer } from './replay-server.js'
