import { damagesOfRun, describeDamagedAnswers, seedOfRun } from '@agent-service/sdk/testing'
import { converseRequest, createTestAdapter } from './test-support/adapter.js'
import { converseRecordings, openProviderRecordings } from './test-support/recordings.js'

describeDamagedAnswers({
  name: 'bedrock-converse',
  create: createTestAdapter,
  recordings: converseRecordings(openProviderRecordings(process.env['FIXTURES_DIR'])).map((recording) => ({
    ...recording,
    documents: recording.kind === 'json' ? recording.documents : [],
  })),
  request: (baseUrl) => converseRequest(baseUrl),
  seed: seedOfRun(process.env['SEED']),
  damages: damagesOfRun(process.env['DAMAGES']),
})
