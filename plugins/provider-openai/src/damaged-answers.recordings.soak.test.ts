import { damagesOfRun, describeDamagedAnswers, requestTo, seedOfRun } from '@agent-service/sdk/testing'
import { createTestAdapter } from './test-support/adapter.js'
import { completionsRecordings, openProviderRecordings } from './test-support/recordings.js'

describeDamagedAnswers({
  name: 'completions',
  create: createTestAdapter,
  recordings: completionsRecordings(openProviderRecordings(process.env['FIXTURES_DIR'])),
  request: (baseUrl) => requestTo(baseUrl),
  seed: seedOfRun(process.env['SEED']),
  damages: damagesOfRun(process.env['DAMAGES']),
})
