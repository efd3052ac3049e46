import { damagesOfRun, describeDamagedAnswers, requestTo, seedOfRun } from '@agent-service/sdk/testing'
import { createTestAdapter } from './test-support/adapter.js'
import { openProviderRecordings } from './test-support/recordings.js'

describeDamagedAnswers({
  name: 'huggingface',
  create: createTestAdapter,
  recordings: openProviderRecordings(process.env['FIXTURES_DIR']).below('openai-compat/huggingface'),
  request: (baseUrl) => requestTo(baseUrl, { protocol: 'huggingface' }),
  seed: seedOfRun(process.env['SEED']),
  damages: damagesOfRun(process.env['DAMAGES']),
})
