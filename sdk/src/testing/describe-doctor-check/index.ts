export { type DoctorCheckSuiteOptions, describeDoctorCheck } from './describe-doctor-check.js'
