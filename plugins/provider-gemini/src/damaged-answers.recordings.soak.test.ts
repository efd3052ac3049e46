import { damagesOfRun, describeDamagedAnswers, seedOfRun } from '@agent-service/sdk/testing'
import { createTestAdapter, geminiRequest } from './test-support/adapter.js'
import { geminiRecordings, openProviderRecordings } from './test-support/recordings.js'

describeDamagedAnswers({
  name: 'gemini-generate-content',
  create: createTestAdapter,
  recordings: geminiRecordings(openProviderRecordings(process.env['FIXTURES_DIR'])),
  request: (baseUrl) => geminiRequest(baseUrl),
  seed: seedOfRun(process.env['SEED']),
  damages: damagesOfRun(process.env['DAMAGES']),
})
