/** Generated from the OpenAPI document: node kernel/scripts/console-api.mjs --write */
export interface paths {
    "/api/chats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listChats"];
        put?: never;
        post: operations["createChat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/{chat_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getChat"];
        put?: never;
        post?: never;
        delete: operations["deleteChat"];
        options?: never;
        head?: never;
        patch: operations["updateChat"];
        trace?: never;
    };
    "/api/chats/{chat_id}/branches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listBranches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/{chat_id}/compact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["compactChat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/{chat_id}/context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getChatContext"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/{chat_id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportChat"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/{chat_id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listMessages"];
        put?: never;
        post: operations["createMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/{chat_id}/regenerate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["regenerateAnswer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/{chat_id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listChatRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/{chat_id}/summaries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSummaries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/{chat_id}/summaries/{summary_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["undoSummary"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/attachments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAttachmentLimits"];
        put?: never;
        post: operations["checkAttachments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/bin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDeletedChats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/bin/{chat_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["eraseChat"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/bin/{chat_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["restoreChat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["importChat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listChatImports"];
        put?: never;
        post: operations["startChatImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/imports/{import_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getChatImport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/imports/{import_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["cancelChatImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["searchChats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listChatTags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shares": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listShares"];
        put?: never;
        post: operations["createShare"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shares/{share_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeShare"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Alternative: {
            branch_id: string;
            number: number;
        };
        AnswerFallback: {
            detail?: string;
            failure?: string;
            reason: "model_failed" | "model_group_unknown";
            used: string;
            wanted: string;
        };
        AttachmentInput: {
            path: string;
        };
        AttachmentLimits: {
            image_types: string[];
            in_workspace: boolean;
            max_files: number;
            max_image_bytes: number;
            max_message_bytes: number;
            max_text_bytes: number;
        };
        Branch: {
            chat_id: string;
            created_at: string;
            current: boolean;
            first_line: string | null;
            fork: components["schemas"]["BranchFork"] | null;
            id: string;
            message_count: number;
            number: number;
        };
        BranchFork: {
            branch_id: string;
            sequence: number;
        };
        BranchPage: {
            items: components["schemas"]["Branch"][];
            next_cursor: string | null;
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
        ChatContext: {
            compact_above: number;
            reserve: number;
            tokens: number | null;
            window: number;
        };
        ChatDocument: {
            branches: components["schemas"]["DocumentBranch"][];
            chat: {
                agent: string | null;
                archived: boolean;
                branch: number;
                compaction: boolean;
                created_at: string;
                guests?: components["schemas"]["ChatGuests"] | null;
                model?: string | null;
                pinned?: boolean;
                tags?: string[];
                title: string | null;
                updated_at: string;
            };
            format: "agent-service.chat";
            messages: components["schemas"]["DocumentMessage"][];
            parts?: {
                [key: string]: unknown;
            };
            parts_left_out?: components["schemas"]["OmittedPart"][];
            summaries: components["schemas"]["DocumentSummary"][];
            version: 1;
        };
        ChatGuests: {
            tools: string[];
        };
        ChatImport: {
            bytes_done: number;
            bytes_total: number;
            created_at: string;
            existing: number;
            failure: string | null;
            id: string;
            imported: number;
            path: string;
            pictures: number;
            problems: components["schemas"]["ChatImportProblem"][];
            problems_left_out: number;
            product: "chatgpt" | "claude" | "open-webui" | "librechat" | null;
            skipped: number;
            state: "waiting" | "running" | "done" | "failed" | "cancelled";
            updated_at: string;
        };
        ChatImportPage: {
            items: components["schemas"]["ChatImport"][];
            next_cursor: string | null;
        };
        ChatImportProblem: {
            chat: number | null;
            file: string;
            kind: "skipped" | "note";
            message: string;
            title: string | null;
        };
        ChatPage: {
            items: components["schemas"]["Chat"][];
            next_cursor: string | null;
        };
        ChatTag: {
            chats: number;
            tag: string;
        };
        ChatTagPage: {
            items: components["schemas"]["ChatTag"][];
            next_cursor: string | null;
        };
        CheckAttachments: {
            agent_id?: string;
            attachments: components["schemas"]["AttachmentInput"][];
        };
        CheckedAttachment: {
            in_workspace: boolean;
            needs_file_tools: boolean;
            path: string;
            problem: string | null;
            shown: boolean;
        };
        CheckedAttachments: {
            files: components["schemas"]["CheckedAttachment"][];
        };
        ComparedAnswer: {
            branch_id: string;
            run_id: string;
        };
        CompareWith: {
            model: string;
        };
        CreateChat: {
            agent_id?: string;
            hidden?: boolean;
            model?: string;
            space_id?: string;
            temporary?: boolean;
            title?: string;
        };
        CreatedMessage: {
            compared_run?: components["schemas"]["Run"];
            message: components["schemas"]["Message"];
            run: components["schemas"]["Run"];
        };
        CreateMessage: {
            agent_id?: string;
            attachments?: components["schemas"]["AttachmentInput"][];
            compare_with?: components["schemas"]["CompareWith"];
            content?: string | components["schemas"]["TextInput"][];
            model?: string | null;
            replaces?: string;
        };
        CreateShare: {
            chat_id?: string;
            expires_in_secs?: number;
            path?: string;
        };
        DeletedChat: {
            archived: boolean;
            deleted_at: string;
            erased_at: string;
            id: string;
            message_count: number;
            title: string | null;
        };
        DeletedChats: {
            items: components["schemas"]["DeletedChat"][];
            keep_days: number;
            next_cursor: string | null;
        };
        DocumentBranch: {
            created_at: string;
            fork: components["schemas"]["DocumentFork"] | null;
            number: number;
        };
        DocumentFilePart: {
            data?: string;
            media_type: string;
            name: string;
            type: "file";
            url?: string;
        };
        DocumentFork: {
            branch: number;
            sequence: number;
        };
        DocumentImagePart: {
            data?: string;
            media_type: string;
            type: "image";
            url?: string;
        };
        DocumentMadeFile: {
            call_id: string;
            media_type?: string;
            path: string;
            size: number;
        };
        DocumentMessage: {
            branch: number;
            content: components["schemas"]["DocumentPart"][];
            created_at: string;
            made_files?: components["schemas"]["DocumentMadeFile"][];
            model?: string;
            role: "user" | "assistant" | "tool";
            run: number;
            sent_by?: components["schemas"]["DocumentSender"];
            sequence: number;
            status: "open" | "complete" | "partial" | "failed";
        };
        DocumentPart: components["schemas"]["DocumentTextPart"] | components["schemas"]["DocumentImagePart"] | components["schemas"]["DocumentFilePart"] | components["schemas"]["DocumentReasoningPart"] | components["schemas"]["DocumentToolCallPart"] | components["schemas"]["DocumentToolResultPart"];
        DocumentReasoningPart: {
            text: string;
            type: "reasoning";
        };
        DocumentResultPart: components["schemas"]["DocumentTextPart"] | components["schemas"]["DocumentImagePart"] | components["schemas"]["DocumentFilePart"];
        DocumentSender: {
            name: string | null;
        };
        DocumentSummary: {
            branch: number;
            created_at: string;
            model: string;
            task: string | null;
            text: string;
            tokens: number;
            tokens_before: number;
            undone_at: string | null;
            until: number;
        };
        DocumentTextPart: {
            text: string;
            type: "text";
        };
        DocumentToolCallPart: {
            arguments: {
                [key: string]: unknown;
            };
            call_id: string;
            invalid_arguments?: string;
            name: string;
            provider_call_id?: string;
            type: "tool_call";
        };
        DocumentToolResultPart: {
            call_id: string;
            content: components["schemas"]["DocumentResultPart"][];
            is_error?: boolean;
            name: string;
            outcome?: "unknown";
            provider_call_id?: string;
            type: "tool_result";
        };
        Failure: {
            code: string;
            http_status?: number;
            message: string;
            model?: string;
            provider?: string;
            provider_failure?: string;
            reason?: string;
            retry_after_secs?: number;
        };
        FilePart: {
            data?: string;
            etag?: string;
            media_type: string;
            name: string;
            path?: string;
            size?: number;
            type: "file";
            url?: string;
            workspace_paths?: string[];
        };
        ImagePart: {
            data?: string;
            etag?: string;
            media_type: string;
            name?: string;
            path?: string;
            size?: number;
            type: "image";
            url?: string;
            workspace_paths?: string[];
        };
        ImportedChat: {
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
            parts_left_out?: components["schemas"]["OmittedPart"][];
            pinned: boolean;
            space_id: string | null;
            tags: string[];
            temporary: boolean;
            title: string | null;
            updated_at: string;
        };
        LeftOut: {
            count: number;
            reason: string;
            what: "parts" | "tools";
        };
        MadeFile: {
            call_id: string;
            etag?: string;
            media_type?: string;
            name: string;
            path: string;
            size: number;
        };
        Mark: {
            end: number;
            start: number;
        };
        Message: {
            alternatives?: components["schemas"]["Alternative"][];
            branch_id: string;
            chat_id: string;
            compared_run_id?: string;
            content: components["schemas"]["Part"][];
            created_at: string;
            event_id?: string;
            fallback?: components["schemas"]["AnswerFallback"];
            id: string;
            left_out?: components["schemas"]["LeftOut"][];
            made_files?: components["schemas"]["MadeFile"][];
            model?: string;
            role: "user" | "assistant" | "tool";
            run_id: string;
            sent_by?: components["schemas"]["MessageSender"];
            sequence: number;
            status: "open" | "complete" | "partial" | "failed";
        };
        MessagePage: {
            items: components["schemas"]["Message"][];
            next_cursor: string | null;
            runs: components["schemas"]["Run"][];
        };
        MessageSender: {
            agent_id: string | null;
            name: string | null;
        };
        NewShare: {
            chat_id: string | null;
            content_url: string;
            created_at: string;
            created_by: "person" | "agent" | "service";
            expired: boolean;
            expires_at: string;
            id: string;
            kind: "file" | "chat";
            last_used_at: string | null;
            page_url: string;
            path: string | null;
            title: string;
            uses: number;
        };
        OmittedPart: {
            id: string;
            reason: "not_installed" | "failed" | "too_large";
        };
        Part: components["schemas"]["TextPart"] | components["schemas"]["ImagePart"] | components["schemas"]["FilePart"] | components["schemas"]["ReasoningPart"] | components["schemas"]["ToolCallPart"] | components["schemas"]["ToolResultPart"];
        ReasoningPart: {
            text: string;
            type: "reasoning";
        };
        RegenerateAnswer: {
            agent_id?: string;
            message_id?: string;
            model?: string | null;
        };
        RegeneratedAnswer: {
            run: components["schemas"]["Run"];
        };
        ResultPart: components["schemas"]["TextPart"] | components["schemas"]["ImagePart"] | components["schemas"]["FilePart"];
        Run: {
            agent_id: string;
            asking: string[];
            branch_id: string;
            cancel_requested_at: string | null;
            chat_id: string;
            created_at: string;
            failure: components["schemas"]["Failure"] | null;
            finished_at: string | null;
            id: string;
            model_group: string;
            model_source: "message" | "chat" | "agent";
            parent_run_id: string | null;
            retry: components["schemas"]["RunRetry"] | null;
            started_at: string | null;
            status: "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled";
            turns: number;
            usage: components["schemas"]["Usage"];
        };
        RunPage: {
            items: components["schemas"]["Run"][];
            next_cursor: string | null;
        };
        RunRetry: {
            attempt?: number;
            delay_ms: number;
            failure: string;
            max_attempts?: number;
            next_at: string;
            reason: string;
        };
        SearchHit: {
            archived: boolean;
            branch_id?: string;
            chat_id: string;
            chat_title: string | null;
            created_at: string;
            message_id?: string;
            role?: "user" | "assistant" | "tool";
            sequence?: number;
            snippet: components["schemas"]["Snippet"];
        };
        SearchHitPage: {
            items: components["schemas"]["SearchHit"][];
            next_cursor: string | null;
        };
        Share: {
            chat_id: string | null;
            created_at: string;
            created_by: "person" | "agent" | "service";
            expired: boolean;
            expires_at: string;
            id: string;
            kind: "file" | "chat";
            last_used_at: string | null;
            path: string | null;
            title: string;
            uses: number;
        };
        SharePage: {
            items: components["schemas"]["Share"][];
            next_cursor: string | null;
        };
        Snippet: {
            marks: components["schemas"]["Mark"][];
            text: string;
        };
        StartChatImport: {
            path: string;
            remove_file: boolean;
        };
        Summary: {
            branch_id: string;
            chat_id: string;
            created_at: string;
            id: string;
            model: string;
            run_id: string | null;
            task: string | null;
            text: string;
            tokens: number;
            tokens_before: number;
            undone_at: string | null;
            until: number;
        };
        SummaryPage: {
            items: components["schemas"]["Summary"][];
            next_cursor: string | null;
        };
        TextInput: {
            text: string;
            type: "text";
        };
        TextPart: {
            text: string;
            type: "text";
        };
        ToolCallPart: {
            arguments: {
                [key: string]: unknown;
            };
            call_id: string;
            invalid_arguments?: string;
            name: string;
            provider_call_id?: string;
            type: "tool_call";
        };
        ToolResultPart: {
            call_id: string;
            content: components["schemas"]["ResultPart"][];
            is_error?: boolean;
            name: string;
            outcome?: "unknown";
            provider_call_id?: string;
            type: "tool_result";
        };
        UpdateChat: {
            agent_id?: string;
            archived?: boolean;
            branch_id?: string;
            compaction?: boolean;
            model?: string | null;
            pinned?: boolean;
            space_id?: string | null;
            tags?: string[];
            temporary?: false;
            title?: string | null;
        };
        Usage: {
            cached_input_tokens: number;
            input_tokens: number;
            output_tokens: number;
            reasoning_tokens: number;
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
    listChats: {
        parameters: {
            query?: {
                archived?: boolean;
                cursor?: string;
                limit?: number;
                order?: "recent" | "pinned_first";
                pinned?: boolean;
                space_id?: string;
                tag?: string;
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
                    "application/json": components["schemas"]["ChatPage"];
                };
            };
        };
    };
    createChat: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateChat"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chat"];
                };
            };
        };
    };
    getChat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                chat_id: string;
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
                    "application/json": components["schemas"]["Chat"];
                };
            };
        };
    };
    deleteChat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                chat_id: string;
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
    updateChat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateChat"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chat"];
                };
            };
        };
    };
    listBranches: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                chat_id: string;
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
                    "application/json": components["schemas"]["BranchPage"];
                };
            };
        };
    };
    compactChat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Summary"];
                };
            };
        };
    };
    getChatContext: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                chat_id: string;
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
                    "application/json": components["schemas"]["ChatContext"];
                };
            };
        };
    };
    exportChat: {
        parameters: {
            query?: {
                format?: "json" | "markdown";
            };
            header?: never;
            path: {
                chat_id: string;
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
                    "application/octet-stream": string;
                };
            };
        };
    };
    listMessages: {
        parameters: {
            query?: {
                before?: number;
                branch_id?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                chat_id: string;
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
                    "application/json": components["schemas"]["MessagePage"];
                };
            };
        };
    };
    createMessage: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateMessage"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedMessage"];
                };
            };
        };
    };
    regenerateAnswer: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegenerateAnswer"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegeneratedAnswer"];
                };
            };
        };
    };
    listChatRuns: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                chat_id: string;
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
                    "application/json": components["schemas"]["RunPage"];
                };
            };
        };
    };
    listSummaries: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                chat_id: string;
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
                    "application/json": components["schemas"]["SummaryPage"];
                };
            };
        };
    };
    undoSummary: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                chat_id: string;
                summary_id: string;
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
    getAttachmentLimits: {
        parameters: {
            query?: {
                agent_id?: string;
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
                    "application/json": components["schemas"]["AttachmentLimits"];
                };
            };
        };
    };
    checkAttachments: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckAttachments"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckedAttachments"];
                };
            };
        };
    };
    listDeletedChats: {
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
                    "application/json": components["schemas"]["DeletedChats"];
                };
            };
        };
    };
    eraseChat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                chat_id: string;
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
    restoreChat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                chat_id: string;
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
                    "application/json": components["schemas"]["Chat"];
                };
            };
        };
    };
    importChat: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatDocument"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportedChat"];
                };
            };
        };
    };
    listChatImports: {
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
                    "application/json": components["schemas"]["ChatImportPage"];
                };
            };
        };
    };
    startChatImport: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartChatImport"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatImport"];
                };
            };
        };
    };
    getChatImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                import_id: string;
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
                    "application/json": components["schemas"]["ChatImport"];
                };
            };
        };
    };
    cancelChatImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                import_id: string;
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
                    "application/json": components["schemas"]["ChatImport"];
                };
            };
        };
    };
    searchChats: {
        parameters: {
            query: {
                cursor?: string;
                limit?: number;
                q: string;
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
                    "application/json": components["schemas"]["SearchHitPage"];
                };
            };
        };
    };
    listChatTags: {
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
                    "application/json": components["schemas"]["ChatTagPage"];
                };
            };
        };
    };
    listShares: {
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
                    "application/json": components["schemas"]["SharePage"];
                };
            };
        };
    };
    createShare: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateShare"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewShare"];
                };
            };
        };
    };
    revokeShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                share_id: string;
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
}
