export { createPlainVault, type PlainVault, type PlainVaultAccount, type PlainVaultItem } from './plain-vault.js'
