/** Generated from the OpenAPI document: node kernel/scripts/console-api.mjs --write */
export interface paths {
    "/api/admin/mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMailStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/mail/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listMails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/mail/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["sendTestMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/{notification_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteNotification"];
        options?: never;
        head?: never;
        patch: operations["updateNotification"];
        trace?: never;
    };
    "/api/notifications/devices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getNotificationDevices"];
        put?: never;
        post: operations["addNotificationDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["updateNotificationDevices"];
        trace?: never;
    };
    "/api/notifications/devices/{device_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["removeNotificationDevice"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/devices/{device_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testNotificationDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getNotificationPreferences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["updateNotificationPreferences"];
        trace?: never;
    };
    "/api/notifications/presence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["notePresence"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["readNotifications"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/unsubscribe/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["showUnsubscribe"];
        put?: never;
        post: operations["unsubscribe"];
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
        Event: components["schemas"]["NotificationCreatedEvent"] | components["schemas"]["NotificationUpdatedEvent"];
        Mail: {
            attempts: number;
            created_at: string;
            due_at: string | null;
            ended_at: string | null;
            error: string | null;
            id: string;
            state: "pending" | "sending" | "unknown" | "sent" | "failed";
            subject: string;
            user_id: string;
        };
        MailPage: {
            items: components["schemas"]["Mail"][];
            next_cursor: string | null;
        };
        MailPause: {
            reason: string;
            until: string;
        };
        MailStatus: {
            available: boolean;
            from: string | null;
            host: string | null;
            paused: components["schemas"]["MailPause"] | null;
            reason: string | null;
            unreachable_admins: string[];
        };
        MailTest: {
            to: string;
        };
        NewNotificationDevice: {
            endpoint: string;
            keys: components["schemas"]["NotificationDeviceKeys"];
            language: string;
            name: string;
        };
        NotePresence: {
            page: string;
            visible: boolean;
        };
        Notification: {
            about: {
                [key: string]: string;
            };
            created_at: string;
            id: string;
            kind: string;
            link: string | null;
            read: boolean;
            read_at: string | null;
            text: string;
            title: string;
        };
        NotificationChoice: {
            app?: boolean | null;
            mail?: boolean | null;
            push?: boolean | null;
        };
        NotificationCreatedEvent: {
            data: components["schemas"]["NotificationCreatedEventData"];
            event: "notification.created";
            id: string;
        };
        NotificationCreatedEventData: {
            about: {
                [key: string]: string;
            };
            chat_id?: string;
            created_at: string;
            kind: string;
            link: string | null;
            notification_id: string;
            run_id?: string;
            text: string;
            title: string;
            unread: number;
        };
        NotificationDefault: {
            app: boolean;
            mail: boolean;
            push: boolean;
        };
        NotificationDevice: {
            created_at: string;
            current: boolean;
            id: string;
            name: string;
            service: string;
            used_at: string | null;
        };
        NotificationDeviceKeys: {
            auth: string;
            p256dh: string;
        };
        NotificationDevices: {
            content: boolean;
            devices: components["schemas"]["NotificationDevice"][];
            public_key: string | null;
        };
        NotificationKind: {
            app: boolean;
            default: components["schemas"]["NotificationDefault"];
            description: {
                [key: string]: string;
            };
            kind: string;
            mail: boolean;
            push: boolean;
            title: {
                [key: string]: string;
            };
        };
        NotificationMail: {
            address: string | null;
            available: boolean;
            reason: "not_configured" | "password_missing" | "no_plugin" | "no_address" | "unconfirmed_address" | null;
        };
        NotificationPage: {
            devices: boolean;
            items: components["schemas"]["Notification"][];
            next_cursor: string | null;
            unread: number;
        };
        NotificationPreferences: {
            kinds: components["schemas"]["NotificationKind"][];
            mail: components["schemas"]["NotificationMail"];
        };
        NotificationTest: {
            outcome: "sent" | "retried" | "gone" | "signed_out" | "refused" | "rejected" | "expired" | "read";
        };
        NotificationUpdatedEvent: {
            data: components["schemas"]["NotificationUpdatedEventData"];
            event: "notification.updated";
            id: string;
        };
        NotificationUpdatedEventData: {
            notification_id: string | null;
            state: "read" | "unread" | "deleted";
            unread: number;
        };
        ReadNotifications: {
            until?: string;
        };
        UnreadNotifications: {
            unread: number;
        };
        UpdateNotification: {
            read: boolean;
        };
        UpdateNotificationDevices: {
            content: boolean;
        };
        UpdateNotificationPreferences: {
            kinds: {
                [key: string]: components["schemas"]["NotificationChoice"];
            };
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
    getMailStatus: {
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
                    "application/json": components["schemas"]["MailStatus"];
                };
            };
        };
    };
    listMails: {
        parameters: {
            query: {
                cursor?: string;
                limit?: number;
                state: "pending" | "sending" | "unknown" | "sent" | "failed";
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
                    "application/json": components["schemas"]["MailPage"];
                };
            };
        };
    };
    sendTestMail: {
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
                    "application/json": components["schemas"]["MailTest"];
                };
            };
        };
    };
    listNotifications: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                unread?: boolean;
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
                    "application/json": components["schemas"]["NotificationPage"];
                };
            };
        };
    };
    deleteNotification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                notification_id: string;
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
    updateNotification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                notification_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateNotification"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notification"];
                };
            };
        };
    };
    getNotificationDevices: {
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
                    "application/json": components["schemas"]["NotificationDevices"];
                };
            };
        };
    };
    addNotificationDevice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewNotificationDevice"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationDevice"];
                };
            };
        };
    };
    updateNotificationDevices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateNotificationDevices"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationDevices"];
                };
            };
        };
    };
    removeNotificationDevice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                device_id: string;
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
    testNotificationDevice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                device_id: string;
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
                    "application/json": components["schemas"]["NotificationTest"];
                };
            };
        };
    };
    getNotificationPreferences: {
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
                    "application/json": components["schemas"]["NotificationPreferences"];
                };
            };
        };
    };
    updateNotificationPreferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateNotificationPreferences"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationPreferences"];
                };
            };
        };
    };
    notePresence: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotePresence"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readNotifications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReadNotifications"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnreadNotifications"];
                };
            };
        };
    };
    showUnsubscribe: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
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
                    "text/html": string;
                };
            };
        };
    };
    unsubscribe: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
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
                    "text/html": string;
                };
            };
        };
    };
}
