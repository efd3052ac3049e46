export { discoverFor, examineInstallation, type InstallationOptions, switchedOffIn, writableIn } from './examine-installation.js'
export { examinedManifests, type RuleConsent } from './rule-consent.js'
