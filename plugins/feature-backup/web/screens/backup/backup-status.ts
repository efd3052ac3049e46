import type { AnswerOf } from '../../api/index.js'

export type BackupStatus = AnswerOf<'get', '/api/admin/backups/status'>
