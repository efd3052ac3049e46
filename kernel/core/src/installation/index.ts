export { type InstallationOptions, discoverFor, examineInstallation, switchedOffIn, writableIn } from './examine-installation.js'
