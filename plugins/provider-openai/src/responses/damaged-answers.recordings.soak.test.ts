import { damagesOfRun, describeDamagedAnswers, requestTo, seedOfRun } from '@agent-service/sdk/testing'
import { createTestAdapter } from '../test-support/adapter.js'
import { openProviderRecordings } from '../test-support/recordings.js'
import { responsesRecordings } from '../test-support/responses-recordings.js'

describeDamagedAnswers({
  name: 'responses',
  create: createTestAdapter,
  recordings: responsesRecordings(openProviderRecordings(process.env['FIXTURES_DIR'])),
  request: (baseUrl) => requestTo(baseUrl, { protocol: 'responses' }),
  seed: seedOfRun(process.env['SEED']),
  damages: damagesOfRun(process.env['DAMAGES']),
})
