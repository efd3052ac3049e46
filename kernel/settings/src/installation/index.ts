export { discoverFor, examineInstallation, type InstallationOptions, switchedOffIn, writableIn } from './examine-installation.js'
