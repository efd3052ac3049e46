/** Generated from the OpenAPI document: node kernel/scripts/console-api.mjs --write */
export interface paths {
    "/api/admin/backups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listBackups"];
        put?: never;
        post: operations["createBackup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/backups/{backup_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getBackup"];
        put?: never;
        post?: never;
        delete: operations["deleteBackup"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/backups/{backup_id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["downloadBackup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/backups/{backup_id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["verifyBackup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/backups/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["cancelBackup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/backups/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getBackupStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Backup: {
            bytes: number;
            created_at: string;
            driver: string | null;
            files: number | null;
            id: string;
            left_out: number | null;
            noted: components["schemas"]["NotedFile"][];
            path: string;
            readable: boolean;
            secrets_left_out: string[];
            service: string | null;
            service_version: string | null;
            too_sparse: number | null;
            unreadable: number | null;
            verification: components["schemas"]["BackupVerification"] | null;
        };
        BackupPage: {
            items: components["schemas"]["Backup"][];
            next_cursor: string | null;
        };
        BackupProgress: {
            bytes: number;
            files: number;
            step: string;
            total_bytes: number | null;
        };
        BackupProgressDeltaEvent: {
            data: components["schemas"]["BackupProgressDeltaEventData"];
            event: "backup.progress.delta";
            id: string;
        };
        BackupProgressDeltaEventData: {
            bytes: number;
            files: number;
            id: string;
            step: string;
            total_bytes: number | null;
        };
        BackupRun: {
            bytes: number | null;
            ended_at: string | null;
            error: string | null;
            id: string;
            started_at: string;
            state: string;
            trigger: string;
        };
        BackupSchedule: {
            cron: string | null;
            every_hours: number | null;
            keep: number;
            keep_days: number | null;
            next_at: string | null;
            timezone: string | null;
        };
        BackupStatus: {
            folder: string;
            free_bytes: number | null;
            last_good: components["schemas"]["GoodBackup"] | null;
            last_run: components["schemas"]["BackupRun"] | null;
            running: components["schemas"]["RunningBackup"] | null;
            schedule: components["schemas"]["BackupSchedule"];
        };
        BackupUpdatedEvent: {
            data: components["schemas"]["BackupUpdatedEventData"];
            event: "backup.updated";
            id: string;
        };
        BackupUpdatedEventData: {
            id: string;
            state: string;
        };
        BackupVerification: {
            documents: number;
            missing: number;
            problem: string | null;
            proof: string | null;
            references: number;
            sound: boolean;
            verified_at: string;
        };
        BegunBackup: {
            id: string;
        };
        CancelledBackup: {
            cancelled: boolean;
        };
        Event: components["schemas"]["BackupProgressDeltaEvent"] | components["schemas"]["BackupUpdatedEvent"];
        GoodBackup: {
            bytes: number;
            created_at: string;
            id: string;
        };
        NotedFile: {
            path: string;
            reason: string;
            user: string | null;
        };
        RunningBackup: {
            id: string;
            kind: string;
            progress: components["schemas"]["BackupProgress"];
            started_at: string;
            trigger: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listBackups: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackupPage"];
                };
            };
        };
    };
    createBackup: {
        parameters: {
            query?: {
                wait?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Backup"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BegunBackup"];
                };
            };
        };
    };
    getBackup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                backup_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Backup"];
                };
            };
        };
    };
    deleteBackup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                backup_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    downloadBackup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                backup_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-tar": string;
                };
            };
        };
    };
    verifyBackup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                backup_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackupVerification"];
                };
            };
        };
    };
    cancelBackup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelledBackup"];
                };
            };
        };
    };
    getBackupStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackupStatus"];
                };
            };
        };
    };
}
