/** Generated from the OpenAPI document: node kernel/scripts/console-api.mjs --write */
export interface paths {
    "/api/admin/channels/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSharedChannelConnections"];
        put?: never;
        post: operations["createSharedChannelConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/channels/connections/{connection_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSharedChannelConnection"];
        put?: never;
        post?: never;
        delete: operations["deleteSharedChannelConnection"];
        options?: never;
        head?: never;
        patch: operations["changeSharedChannelConnection"];
        trace?: never;
    };
    "/api/admin/channels/connections/{connection_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSharedChannelDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/channels/connections/{connection_id}/deliveries/{delivery_id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resendSharedChannelDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/channels/connections/{connection_id}/pairings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSharedChannelPairings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/channels/connections/{connection_id}/pairings/{pairing_id}/deny": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["denySharedChannelPairing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/channels/connections/{connection_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["retrySharedChannelConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/channels/connections/{connection_id}/senders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSharedChannelSenders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/channels/connections/{connection_id}/senders/{sender_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["removeSharedChannelSender"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/channels/connections/{connection_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testSharedChannelConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listChannels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channels/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listChannelConnections"];
        put?: never;
        post: operations["createChannelConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channels/connections/{connection_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getChannelConnection"];
        put?: never;
        post?: never;
        delete: operations["deleteChannelConnection"];
        options?: never;
        head?: never;
        patch: operations["changeChannelConnection"];
        trace?: never;
    };
    "/api/channels/connections/{connection_id}/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listChannelConversations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channels/connections/{connection_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listChannelDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channels/connections/{connection_id}/deliveries/{delivery_id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resendChannelDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channels/connections/{connection_id}/pairings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listChannelPairings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channels/connections/{connection_id}/pairings/{pairing_id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["approveChannelPairing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channels/connections/{connection_id}/pairings/{pairing_id}/deny": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["denyChannelPairing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channels/connections/{connection_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["retryChannelConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channels/connections/{connection_id}/senders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listChannelSenders"];
        put?: never;
        post: operations["addChannelSender"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channels/connections/{connection_id}/senders/{sender_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["removeChannelSender"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channels/connections/{connection_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testChannelConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channels/pairings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listOwnChannelPairings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channels/pairings/{pairing_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["endOwnChannelPairing"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channels/pairings/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["claimChannelPairing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channels/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getChannelRetrySettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channels/webhook/{connection_id}/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getChannelWebhook"];
        put?: never;
        post: operations["postChannelWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channels/webhook/{connection_id}/{key}/{rest}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getChannelWebhookPart"];
        put?: never;
        post: operations["postChannelWebhookPart"];
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
        AddChannelSender: {
            name?: string;
            role?: "owner" | "guest";
            sender_id: string;
        };
        ApproveChannelPairing: {
            role?: "owner" | "guest";
        };
        ChangeChannelConnection: {
            access?: "pairing" | "allow_list" | "open";
            agent_id?: string | null;
            answer_bots?: boolean;
            enabled?: boolean;
            guest_tools?: string[];
            members?: {
                [key: string]: unknown;
            };
            mention_required?: boolean;
            retry?: components["schemas"]["ChannelRetry"] | null;
            title?: string;
        };
        Channel: {
            connection: {
                [key: string]: unknown;
            };
            id: string;
            set_up: components["schemas"]["ChannelSetUpStep"][];
            supports: {
                [key: string]: boolean;
            };
            title: string;
        };
        ChannelAccount: {
            id: string;
            name: string;
        };
        ChannelChunk: {
            count: number;
            index: number;
        };
        ChannelConnection: {
            access: "pairing" | "allow_list" | "open";
            account: components["schemas"]["ChannelAccount"] | null;
            agent_id: string | null;
            answer_bots: boolean;
            changed_at: string;
            channel: string;
            connected_at: string | null;
            created_at: string;
            enabled: boolean;
            failure: components["schemas"]["ChannelFailure"] | null;
            failures: number;
            guest_tools: string[];
            id: string;
            members: {
                [key: string]: unknown;
            };
            mention_required: boolean;
            next_attempt_at: string | null;
            retry: components["schemas"]["ChannelRetry"] | null;
            shared: boolean;
            state: "off" | "connecting" | "connected" | "retrying" | "failed" | "unavailable";
            title: string;
            webhook_url: string | null;
        };
        ChannelConnectionPage: {
            items: components["schemas"]["ChannelConnection"][];
            next_cursor: string | null;
        };
        ChannelConversation: {
            changed_at: string;
            chat_id: string | null;
            conversation_id: string;
            created_at: string;
            id: string;
            kind: "direct" | "group";
            questions: number;
            title: string | null;
        };
        ChannelConversationPage: {
            items: components["schemas"]["ChannelConversation"][];
            next_cursor: string | null;
        };
        ChannelDelivery: {
            attempts: number;
            chunk: components["schemas"]["ChannelChunk"];
            conversation_id: string;
            created_at: string;
            failure: components["schemas"]["ChannelDeliveryFailure"] | null;
            file: components["schemas"]["ChannelDeliveryFile"] | null;
            id: string;
            kind: "answer" | "question" | "notice" | "test" | "edit" | "file";
            run_id: string | null;
            settled_at: string | null;
            state: "queued" | "sending" | "sent" | "unknown" | "failed";
            text: string;
        };
        ChannelDeliveryFailure: {
            code: string;
            message: string;
        };
        ChannelDeliveryFile: {
            name: string;
            size: number;
        };
        ChannelDeliveryPage: {
            items: components["schemas"]["ChannelDelivery"][];
            next_cursor: string | null;
        };
        ChannelFailure: {
            at: string;
            code: string;
            message: string;
        };
        ChannelPage: {
            items: components["schemas"]["Channel"][];
            next_cursor: string | null;
        };
        ChannelRetry: {
            backoff_multiplier?: number;
            initial_backoff_ms?: number;
            max_backoff_ms?: number;
            max_retries?: number;
        };
        ChannelRetrySettings: {
            backoff_multiplier: number;
            initial_backoff_ms: number;
            max_backoff_ms: number;
            max_retries: number;
        };
        ChannelSender: {
            changed_at: string;
            code: string | null;
            code_expires_at: string | null;
            created_at: string;
            held: number;
            id: string;
            name: string;
            role: "owner" | "guest";
            sender_id: string;
            state: "pending" | "approved" | "denied";
        };
        ChannelSenderPage: {
            items: components["schemas"]["ChannelSender"][];
            next_cursor: string | null;
        };
        ChannelSetUpStep: {
            members: string[];
            text: string;
            title: string;
            url: string | null;
        };
        ChannelUpdatedEvent: {
            data: components["schemas"]["ChannelUpdatedEventData"];
            event: "channel.updated";
            id: string;
        };
        ChannelUpdatedEventData: {
            change: "created" | "changed" | "deleted" | "state" | "pairing" | "delivery";
            connection_id: string;
            next_attempt_at?: string | null;
            state?: "off" | "connecting" | "connected" | "retrying" | "failed";
        };
        Chat: {
            active_run_id: string | null;
            agent_id: string;
            archived: boolean;
            beside_run_id: string | null;
            branch_count: number;
            branch_id: string;
            callers: string[];
            compaction: boolean;
            comparison: components["schemas"]["ChatComparison"] | null;
            created_at: string;
            expires_at: string | null;
            guests: components["schemas"]["ChatGuests"] | null;
            hidden: boolean;
            id: string;
            message_count: number;
            model: string | null;
            pinned: boolean;
            space_id: string | null;
            tags: string[];
            temporary: boolean;
            title: string | null;
            updated_at: string;
        };
        ChatComparison: {
            answers: components["schemas"]["ComparedAnswer"][];
            message_id: string;
        };
        ChatCreatedEvent: {
            data: components["schemas"]["ChatCreatedEventData"];
            event: "chat.created";
            id: string;
        };
        ChatCreatedEventData: {
            chat: components["schemas"]["Chat"];
            chat_id: string;
        };
        ChatDeletedEvent: {
            data: components["schemas"]["ChatDeletedEventData"];
            event: "chat.deleted";
            id: string;
        };
        ChatDeletedEventData: {
            chat_id: string;
            erased_at: string | null;
        };
        ChatGuests: {
            tools: string[];
        };
        ClaimChannelPairing: {
            code: string;
            sender_id?: string;
        };
        ClaimedChannelPairing: {
            channel: string;
            claimed: boolean;
            messages: components["schemas"]["HeldChannelMessage"][];
            sender: components["schemas"]["ChannelSender"];
            title: string;
        };
        ComparedAnswer: {
            branch_id: string;
            run_id: string;
        };
        CreateChannelConnection: {
            access?: "pairing" | "allow_list" | "open";
            agent_id?: string | null;
            answer_bots?: boolean;
            channel: string;
            enabled?: boolean;
            guest_tools?: string[];
            members: {
                [key: string]: unknown;
            };
            mention_required?: boolean;
            retry?: components["schemas"]["ChannelRetry"] | null;
            title: string;
        };
        Event: components["schemas"]["ChannelUpdatedEvent"] | components["schemas"]["ChatCreatedEvent"] | components["schemas"]["ChatDeletedEvent"];
        HeldChannelMessage: {
            at: string;
            text: string;
        };
        OwnChannelPairing: {
            channel: string;
            sender: components["schemas"]["ChannelSender"];
            title: string;
        };
        OwnChannelPairingPage: {
            items: components["schemas"]["OwnChannelPairing"][];
            next_cursor: string | null;
        };
        TestChannelConnectionResult: {
            connection: components["schemas"]["ChannelConnection"];
            delivery: components["schemas"]["ChannelDelivery"] | null;
        };
        TestSharedChannelConnectionResult: {
            connection: components["schemas"]["ChannelConnection"];
            delivery: components["schemas"]["ChannelDelivery"] | null;
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
    listSharedChannelConnections: {
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
                    "application/json": components["schemas"]["ChannelConnectionPage"];
                };
            };
        };
    };
    createSharedChannelConnection: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateChannelConnection"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelConnection"];
                };
            };
        };
    };
    getSharedChannelConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connection_id: string;
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
                    "application/json": components["schemas"]["ChannelConnection"];
                };
            };
        };
    };
    deleteSharedChannelConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connection_id: string;
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
    changeSharedChannelConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connection_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeChannelConnection"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelConnection"];
                };
            };
        };
    };
    listSharedChannelDeliveries: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                connection_id: string;
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
                    "application/json": components["schemas"]["ChannelDeliveryPage"];
                };
            };
        };
    };
    resendSharedChannelDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connection_id: string;
                delivery_id: string;
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
                    "application/json": components["schemas"]["ChannelDelivery"];
                };
            };
        };
    };
    listSharedChannelPairings: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                connection_id: string;
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
                    "application/json": components["schemas"]["ChannelSenderPage"];
                };
            };
        };
    };
    denySharedChannelPairing: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connection_id: string;
                pairing_id: string;
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
                    "application/json": components["schemas"]["ChannelSender"];
                };
            };
        };
    };
    retrySharedChannelConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connection_id: string;
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
                    "application/json": components["schemas"]["ChannelConnection"];
                };
            };
        };
    };
    listSharedChannelSenders: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                connection_id: string;
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
                    "application/json": components["schemas"]["ChannelSenderPage"];
                };
            };
        };
    };
    removeSharedChannelSender: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connection_id: string;
                sender_id: string;
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
    testSharedChannelConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connection_id: string;
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
                    "application/json": components["schemas"]["TestSharedChannelConnectionResult"];
                };
            };
        };
    };
    listChannels: {
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
                    "application/json": components["schemas"]["ChannelPage"];
                };
            };
        };
    };
    listChannelConnections: {
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
                    "application/json": components["schemas"]["ChannelConnectionPage"];
                };
            };
        };
    };
    createChannelConnection: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateChannelConnection"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelConnection"];
                };
            };
        };
    };
    getChannelConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connection_id: string;
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
                    "application/json": components["schemas"]["ChannelConnection"];
                };
            };
        };
    };
    deleteChannelConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connection_id: string;
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
    changeChannelConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connection_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeChannelConnection"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelConnection"];
                };
            };
        };
    };
    listChannelConversations: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                connection_id: string;
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
                    "application/json": components["schemas"]["ChannelConversationPage"];
                };
            };
        };
    };
    listChannelDeliveries: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                connection_id: string;
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
                    "application/json": components["schemas"]["ChannelDeliveryPage"];
                };
            };
        };
    };
    resendChannelDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connection_id: string;
                delivery_id: string;
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
                    "application/json": components["schemas"]["ChannelDelivery"];
                };
            };
        };
    };
    listChannelPairings: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                connection_id: string;
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
                    "application/json": components["schemas"]["ChannelSenderPage"];
                };
            };
        };
    };
    approveChannelPairing: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connection_id: string;
                pairing_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApproveChannelPairing"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelSender"];
                };
            };
        };
    };
    denyChannelPairing: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connection_id: string;
                pairing_id: string;
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
                    "application/json": components["schemas"]["ChannelSender"];
                };
            };
        };
    };
    retryChannelConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connection_id: string;
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
                    "application/json": components["schemas"]["ChannelConnection"];
                };
            };
        };
    };
    listChannelSenders: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                connection_id: string;
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
                    "application/json": components["schemas"]["ChannelSenderPage"];
                };
            };
        };
    };
    addChannelSender: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connection_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddChannelSender"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelSender"];
                };
            };
        };
    };
    removeChannelSender: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connection_id: string;
                sender_id: string;
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
    testChannelConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connection_id: string;
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
                    "application/json": components["schemas"]["TestChannelConnectionResult"];
                };
            };
        };
    };
    listOwnChannelPairings: {
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
                    "application/json": components["schemas"]["OwnChannelPairingPage"];
                };
            };
        };
    };
    endOwnChannelPairing: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pairing_id: string;
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
    claimChannelPairing: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClaimChannelPairing"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimedChannelPairing"];
                };
            };
        };
    };
    getChannelRetrySettings: {
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
                    "application/json": components["schemas"]["ChannelRetrySettings"];
                };
            };
        };
    };
    getChannelWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connection_id: string;
                key: string;
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
                    "*/*": string;
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    postChannelWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connection_id: string;
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "*/*": unknown;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getChannelWebhookPart: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connection_id: string;
                key: string;
                rest: string;
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
                    "*/*": string;
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    postChannelWebhookPart: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connection_id: string;
                key: string;
                rest: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "*/*": unknown;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
