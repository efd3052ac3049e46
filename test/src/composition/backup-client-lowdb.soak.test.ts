import { describeBackupClient } from './support/backup-client.js'

describeBackupClient('lowdb')
