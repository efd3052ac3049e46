import { defineContributionPoint } from '../../core/contribution-point.js'
import type { DoctorCheck } from './check.js'

/** What `agent-service doctor` examines. */
export const doctorChecks = defineContributionPoint<DoctorCheck>()({
  id: 'doctor.check',
  cardinality: 'many',
  specVersions: [1],
  keyOf: (check) => check.id,
})
