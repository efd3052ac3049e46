import type { AnswerOf } from '../../api/types.js'

export type BackupStatus = AnswerOf<'get', '/api/admin/backups/status'>
