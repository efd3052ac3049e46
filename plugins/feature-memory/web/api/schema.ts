/** Generated from the OpenAPI document: node kernel/scripts/console-api.mjs --write */
export interface paths {
    "/api/admin/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getConfiguration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["changeConfiguration"];
        trace?: never;
    };
    "/api/admin/config/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["checkConfiguration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/memory/migration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMemoryMigration"];
        put?: never;
        post: operations["startMemoryMigration"];
        delete: operations["cancelMemoryMigration"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/plugins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPlugins"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/plugins/{id}/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deletePluginData"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/plugins/{id}/data/keep": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["keepPluginData"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/plugins/{id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["disablePlugin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/plugins/{id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["enablePlugin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/plugins/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPluginData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAgents"];
        put?: never;
        post: operations["createAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAgent"];
        put?: never;
        post?: never;
        delete: operations["deleteAgent"];
        options?: never;
        head?: never;
        patch: operations["updateAgent"];
        trace?: never;
    };
    "/api/agents/{agent_id}/adopt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["adoptSharedAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_id}/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listGrants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_id}/grants/{tool}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteGrant"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_id}/prompt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAgentPrompt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAgentVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_id}/versions/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAgentVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_id}/versions/{number}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["diffAgentVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_id}/versions/{number}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["restoreAgentVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
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
    "/api/memory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listMemories"];
        put?: never;
        post: operations["createMemory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory/{memory_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMemory"];
        put?: never;
        post?: never;
        delete: operations["deleteMemory"];
        options?: never;
        head?: never;
        patch: operations["updateMemory"];
        trace?: never;
    };
    "/api/memory/chats/{chat_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getChatMemory"];
        put: operations["setChatMemory"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportMemories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["importMemories"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory/passes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listMemoryPasses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory/passes/{pass_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["retryMemoryPass"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listMemoryRevisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory/revisions/{revision_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["restoreMemoryRevision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMemoryStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/spaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSpaces"];
        put?: never;
        post: operations["createSpace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/spaces/{space_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSpace"];
        put?: never;
        post?: never;
        delete: operations["deleteSpace"];
        options?: never;
        head?: never;
        patch: operations["updateSpace"];
        trace?: never;
    };
    "/api/spaces/{space_id}/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["summariseSpace"];
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
        Agent: {
            approval: {
                [key: string]: "never" | "first_time" | "always";
            };
            avatar: string;
            created_at: string;
            description: string;
            enabled: boolean;
            handle: string;
            id: string;
            instructions: string;
            limits: components["schemas"]["AgentLimits"];
            memory: components["schemas"]["AgentMemory"];
            model_group: string;
            name: string;
            prompts: {
                [key: string]: string | null;
            };
            sandbox: components["schemas"]["AgentSandbox"];
            shared: components["schemas"]["SharedAgent"] | null;
            skills: string[];
            titles: components["schemas"]["AgentTitles"];
            tools: string[];
            updated_at: string;
            version: number;
            warnings: components["schemas"]["AgentWarning"][];
            workspace: string;
        };
        AgentAuthor: {
            id: string | null;
            kind: "person" | "token" | "service";
        };
        AgentChange: {
            after?: unknown;
            before?: unknown;
            patch?: string;
            path: string;
        };
        AgentDefinition: {
            approval: {
                [key: string]: "never" | "first_time" | "always";
            };
            avatar: string;
            description: string;
            enabled: boolean;
            handle: string;
            instructions: string;
            limits: components["schemas"]["AgentLimits"];
            memory: components["schemas"]["AgentMemory"];
            model_group: string;
            name: string;
            prompts: {
                [key: string]: string | null;
            };
            sandbox: components["schemas"]["AgentSandbox"];
            skills: string[];
            titles: components["schemas"]["AgentTitles"];
            tools: string[];
        };
        AgentLimits: {
            max_output_tokens?: number;
            max_run_secs?: number;
            max_tool_turns?: number;
        };
        AgentMemory: {
            enabled: boolean;
        };
        AgentPage: {
            items: components["schemas"]["Agent"][];
            next_cursor: string | null;
        };
        AgentPrompt: {
            sections: components["schemas"]["PromptSection"][];
            text: string;
        };
        AgentSandbox: {
            network: boolean;
        };
        AgentTitles: {
            enabled: boolean;
        };
        AgentVersion: {
            agent_id: string;
            by: components["schemas"]["AgentAuthor"];
            cause: "created" | "shared" | "changed" | "restored" | "adopted";
            changed: string[];
            created_at: string;
            current: boolean;
            definition: components["schemas"]["AgentDefinition"];
            number: number;
            restored_from: number | null;
        };
        AgentVersionDiff: {
            against: number | null;
            agent_id: string;
            changes: components["schemas"]["AgentChange"][];
            number: number;
        };
        AgentWarning: {
            message: string;
            path: string;
        };
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
        ChangeConfiguration: {
            reset?: string[];
            set?: {
                [key: string]: unknown;
            };
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
        ChatMemory: {
            chat_id: string;
            remember: boolean;
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
        CheckConfiguration: {
            reset?: string[];
            set?: {
                [key: string]: unknown;
            };
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
        Configuration: {
            file: string;
            lines: {
                [key: string]: number;
            };
            locked: components["schemas"]["LockedPath"][];
            pending: string[];
            problems: components["schemas"]["ConfigurationProblem"][];
            references: {
                [key: string]: string;
            };
            restart_required: boolean;
            revision: string;
            saved: {
                [key: string]: unknown;
            };
            schema: {
                [key: string]: unknown;
            };
            sources: {
                [key: string]: "default" | "file" | "environment";
            };
            values: {
                [key: string]: unknown;
            };
        };
        ConfigurationCheck: {
            overlaps: components["schemas"]["ConfigurationOverlap"][];
            problems: components["schemas"]["ConfigurationProblem"][];
            warnings: string[];
        };
        ConfigurationOverlap: {
            custom: string;
            path: string;
            typed: string;
        };
        ConfigurationProblem: {
            message: string;
            path: string;
        };
        CreateAgent: {
            approval?: {
                [key: string]: "never" | "first_time" | "always";
            };
            avatar?: string;
            description?: string;
            enabled?: boolean;
            handle?: string;
            instructions?: string;
            limits?: components["schemas"]["AgentLimits"];
            memory?: components["schemas"]["AgentMemory"];
            model_group?: string;
            name: string;
            prompts?: {
                [key: string]: string | null;
            };
            sandbox?: components["schemas"]["AgentSandbox"];
            skills?: string[];
            titles?: components["schemas"]["AgentTitles"];
            tools?: string[];
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
        CreateMemory: {
            allow_secret?: boolean;
            pinned?: boolean;
            scope?: components["schemas"]["MemoryScope"];
            text: string;
        };
        CreateMessage: {
            agent_id?: string;
            attachments?: components["schemas"]["AttachmentInput"][];
            compare_with?: components["schemas"]["CompareWith"];
            content?: string | components["schemas"]["TextInput"][];
            model?: string | null;
            replaces?: string;
        };
        CreateSpace: {
            context?: string;
            description?: string;
            name: string;
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
        DeletedPluginCollection: {
            documents: number;
            name: string;
        };
        DeletedPluginData: {
            collections: components["schemas"]["DeletedPluginCollection"][];
            folders: string[];
            id: string;
        };
        DisabledPlugin: {
            plugin: components["schemas"]["Plugin"];
            stopped: string[];
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
        Event: components["schemas"]["MemoryUpdatedEvent"] | components["schemas"]["SpaceDeletedEvent"] | components["schemas"]["SpaceUpdatedEvent"];
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
        Grant: {
            agent_id: string;
            applies: boolean;
            granted_at: string;
            label: string;
            scope: string;
            tool: string;
        };
        GrantPage: {
            items: components["schemas"]["Grant"][];
            next_cursor: string | null;
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
        ListedAgentVersion: {
            agent_id: string;
            by: components["schemas"]["AgentAuthor"];
            cause: "created" | "shared" | "changed" | "restored" | "adopted";
            changed: string[];
            created_at: string;
            current: boolean;
            number: number;
            restored_from: number | null;
        };
        ListedAgentVersionPage: {
            items: components["schemas"]["ListedAgentVersion"][];
            next_cursor: string | null;
        };
        LockedPath: {
            path: string;
            variable: string;
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
        Memory: {
            created_at: string;
            evidence: components["schemas"]["MemoryEvidence"][];
            fades_at: string | null;
            id: string;
            kind: "note" | "statement" | "playbook" | "summary";
            origin: "person" | "tool";
            page_id: string | null;
            pinned: boolean;
            scope: components["schemas"]["MemoryScope"];
            text: string;
            title: string | null;
            updated_at: string;
            valid_from: string | null;
            valid_to: string | null;
            when_to_use: string | null;
        };
        MemoryEvidence: {
            chat_id: string;
            message_id: string | null;
        };
        MemoryImport: {
            records: number;
        };
        MemoryMigration: {
            error: string | null;
            failed: number;
            from: string;
            records: number;
            started_at: string;
            state: "copying" | "ready" | "finishing" | "cleaning" | "undoing" | "done" | "failed";
            to: string;
            updated_at: string;
            users: number;
        };
        MemoryMigrationState: {
            migration: components["schemas"]["MemoryMigration"] | null;
        };
        MemoryPage: {
            items: components["schemas"]["Memory"][];
            next_cursor: string | null;
        };
        MemoryPass: {
            attempt: number;
            chat_id: string;
            error: string | null;
            finished_at: string | null;
            id: string;
            next_attempt_at: string | null;
            stage: string;
            started_at: string;
            state: "running" | "waiting" | "done" | "abandoned" | "failed";
        };
        MemoryPassPage: {
            items: components["schemas"]["MemoryPass"][];
            next_cursor: string | null;
        };
        MemoryRevision: {
            expires_at: string;
            id: string;
            replaced_at: string;
            scope: components["schemas"]["MemoryScope"];
            text: string;
        };
        MemoryRevisionPage: {
            items: components["schemas"]["MemoryRevision"][];
            next_cursor: string | null;
        };
        MemoryScope: {
            agent_id?: string;
            kind: "user" | "agent" | "space";
            space_id?: string;
        };
        MemoryStatus: {
            available: boolean;
            backend: string;
            last_sweep: components["schemas"]["MemorySweep"] | null;
            moving: boolean;
            supports: components["schemas"]["MemorySupport"];
            title: string | null;
        };
        MemorySupport: {
            history: boolean;
            passes: boolean;
            revisions: boolean;
            sweep: boolean;
        };
        MemorySweep: {
            failed: boolean;
            finished_at: string | null;
            started_at: string;
        };
        MemoryUpdatedEvent: {
            data: components["schemas"]["MemoryUpdatedEventData"];
            event: "memory.updated";
            id: string;
        };
        MemoryUpdatedEventData: {
            change: "remembered" | "changed" | "forgotten" | "imported" | "restored" | "retried" | "excluded" | "included";
            chat_id?: string;
            memory_id?: string;
            run_id?: string;
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
        OmittedPart: {
            id: string;
            reason: "not_installed" | "failed" | "too_large";
        };
        Part: components["schemas"]["TextPart"] | components["schemas"]["ImagePart"] | components["schemas"]["FilePart"] | components["schemas"]["ReasoningPart"] | components["schemas"]["ToolCallPart"] | components["schemas"]["ToolResultPart"];
        Plugin: {
            contributes: string[];
            contributions: components["schemas"]["PluginContributions"][];
            description: string | null;
            id: string;
            locked: string[];
            optional: string[];
            permissions: components["schemas"]["PluginPermission"][];
            problems: string[];
            provides: string[];
            reason: string | null;
            requires: string[];
            settings: string[];
            source: string;
            started_ms: number | null;
            state: "discovered" | "disabled" | "declared" | "invalid" | "blocked" | "ready" | "starting" | "active" | "retrying" | "stopping" | "stopped" | "failed";
            version: string;
        };
        PluginContributions: {
            keys: string[];
            point: string;
        };
        PluginData: {
            cache: boolean;
            collections: components["schemas"]["PluginDataCollection"][];
            decision: "keep" | "delete" | null;
            deletable: boolean;
            folders: string[];
            id: string;
            reason: string | null;
            state: "gone" | "unknown" | "discovered" | "disabled" | "declared" | "invalid" | "blocked" | "ready" | "starting" | "active" | "retrying" | "stopping" | "stopped" | "failed";
            third_party: boolean;
            version: string;
        };
        PluginDataCollection: {
            documents: number;
            left_behind: boolean;
            name: string;
            of_users: boolean;
        };
        PluginDataPage: {
            items: components["schemas"]["PluginData"][];
            next_cursor: string | null;
        };
        PluginPage: {
            items: components["schemas"]["Plugin"][];
            next_cursor: string | null;
        };
        PluginPermission: {
            kind: string;
            reason: string;
            targets?: string[];
            targetsFromConfiguration?: string[];
        };
        PromptSection: {
            name: string;
            source: "shared" | "agent" | "left_out";
            text: string;
        };
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
        SavedConfiguration: {
            locked: components["schemas"]["LockedPath"][];
            restart_required: boolean;
            revision: string;
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
        SetChatMemory: {
            remember: boolean;
        };
        SharedAgent: {
            handle: string;
            update_available: boolean;
        };
        Snippet: {
            marks: components["schemas"]["Mark"][];
            text: string;
        };
        Space: {
            context: string;
            created_at: string;
            description: string;
            id: string;
            name: string;
            summary: string | null;
            summary_updated_at: string | null;
            updated_at: string;
        };
        SpaceDeletedEvent: {
            data: components["schemas"]["SpaceDeletedEventData"];
            event: "space.deleted";
            id: string;
        };
        SpaceDeletedEventData: {
            space_id: string;
        };
        SpacePage: {
            items: components["schemas"]["Space"][];
            next_cursor: string | null;
        };
        SpaceUpdatedEvent: {
            data: components["schemas"]["SpaceUpdatedEventData"];
            event: "space.updated";
            id: string;
        };
        SpaceUpdatedEventData: {
            space: components["schemas"]["Space"];
            space_id: string;
        };
        StartChatImport: {
            path: string;
            remove_file: boolean;
        };
        StartMemoryMigration: {
            to: string;
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
        UpdateAgent: {
            approval?: {
                [key: string]: "never" | "first_time" | "always";
            };
            avatar?: string;
            description?: string;
            enabled?: boolean;
            handle?: string;
            instructions?: string;
            limits?: components["schemas"]["AgentLimits"];
            memory?: components["schemas"]["AgentMemory"];
            model_group?: string;
            name?: string;
            prompts?: {
                [key: string]: string | null;
            };
            sandbox?: components["schemas"]["AgentSandbox"];
            skills?: string[];
            titles?: components["schemas"]["AgentTitles"];
            tools?: string[];
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
        UpdateMemory: {
            allow_secret?: boolean;
            pinned?: boolean;
            text?: string;
        };
        UpdateSpace: {
            context?: string;
            description?: string;
            name?: string;
            summary?: null;
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
    getConfiguration: {
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
                    "application/json": components["schemas"]["Configuration"];
                };
            };
        };
    };
    changeConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeConfiguration"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedConfiguration"];
                };
            };
        };
    };
    checkConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckConfiguration"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfigurationCheck"];
                };
            };
        };
    };
    getMemoryMigration: {
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
                    "application/json": components["schemas"]["MemoryMigrationState"];
                };
            };
        };
    };
    startMemoryMigration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartMemoryMigration"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryMigration"];
                };
            };
        };
    };
    cancelMemoryMigration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
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
    listPlugins: {
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
                    "application/json": components["schemas"]["PluginPage"];
                };
            };
        };
    };
    deletePluginData: {
        parameters: {
            query?: {
                despite_unread_sources?: boolean;
                left_behind?: boolean;
            };
            header?: never;
            path: {
                id: string;
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
                    "application/json": components["schemas"]["DeletedPluginData"];
                };
            };
        };
    };
    keepPluginData: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
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
    disablePlugin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
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
                    "application/json": components["schemas"]["DisabledPlugin"];
                };
            };
        };
    };
    enablePlugin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
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
                    "application/json": components["schemas"]["Plugin"];
                };
            };
        };
    };
    listPluginData: {
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
                    "application/json": components["schemas"]["PluginDataPage"];
                };
            };
        };
    };
    listAgents: {
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
                    "application/json": components["schemas"]["AgentPage"];
                };
            };
        };
    };
    createAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAgent"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
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
                    "application/json": components["schemas"]["Agent"];
                };
            };
        };
    };
    deleteAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
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
    updateAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateAgent"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
        };
    };
    adoptSharedAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
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
                    "application/json": components["schemas"]["Agent"];
                };
            };
        };
    };
    listGrants: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                agent_id: string;
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
                    "application/json": components["schemas"]["GrantPage"];
                };
            };
        };
    };
    deleteGrant: {
        parameters: {
            query?: {
                scope?: string;
            };
            header?: never;
            path: {
                agent_id: string;
                tool: string;
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
    getAgentPrompt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
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
                    "application/json": components["schemas"]["AgentPrompt"];
                };
            };
        };
    };
    listAgentVersions: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                agent_id: string;
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
                    "application/json": components["schemas"]["ListedAgentVersionPage"];
                };
            };
        };
    };
    getAgentVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
                number: number;
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
                    "application/json": components["schemas"]["AgentVersion"];
                };
            };
        };
    };
    diffAgentVersion: {
        parameters: {
            query?: {
                against?: number;
            };
            header?: never;
            path: {
                agent_id: string;
                number: number;
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
                    "application/json": components["schemas"]["AgentVersionDiff"];
                };
            };
        };
    };
    restoreAgentVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
                number: number;
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
                    "application/json": components["schemas"]["Agent"];
                };
            };
        };
    };
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
    listMemories: {
        parameters: {
            query?: {
                agent_id?: string;
                as_of?: string;
                cursor?: string;
                kind?: ("note" | "statement" | "playbook" | "summary")[];
                limit?: number;
                page_id?: string;
                q?: string;
                scope?: "user" | "agent" | "space";
                space_id?: string;
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
                    "application/json": components["schemas"]["MemoryPage"];
                };
            };
        };
    };
    createMemory: {
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
                "application/json": components["schemas"]["CreateMemory"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Memory"];
                };
            };
        };
    };
    getMemory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                memory_id: string;
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
                    "application/json": components["schemas"]["Memory"];
                };
            };
        };
    };
    deleteMemory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                memory_id: string;
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
    updateMemory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                memory_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateMemory"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Memory"];
                };
            };
        };
    };
    getChatMemory: {
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
                    "application/json": components["schemas"]["ChatMemory"];
                };
            };
        };
    };
    setChatMemory: {
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
                "application/json": components["schemas"]["SetChatMemory"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatMemory"];
                };
            };
        };
    };
    exportMemories: {
        parameters: {
            query?: {
                format?: "markdown" | "ndjson";
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
                    "application/octet-stream": string;
                };
            };
        };
    };
    importMemories: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": unknown;
                "application/x-ndjson": unknown;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryImport"];
                };
            };
        };
    };
    listMemoryPasses: {
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
                    "application/json": components["schemas"]["MemoryPassPage"];
                };
            };
        };
    };
    retryMemoryPass: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pass_id: string;
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
    listMemoryRevisions: {
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
                    "application/json": components["schemas"]["MemoryRevisionPage"];
                };
            };
        };
    };
    restoreMemoryRevision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                revision_id: string;
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
    getMemoryStatus: {
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
                    "application/json": components["schemas"]["MemoryStatus"];
                };
            };
        };
    };
    listSpaces: {
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
                    "application/json": components["schemas"]["SpacePage"];
                };
            };
        };
    };
    createSpace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSpace"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Space"];
                };
            };
        };
    };
    getSpace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                space_id: string;
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
                    "application/json": components["schemas"]["Space"];
                };
            };
        };
    };
    deleteSpace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                space_id: string;
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
    updateSpace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                space_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateSpace"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Space"];
                };
            };
        };
    };
    summariseSpace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                space_id: string;
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
                    "application/json": components["schemas"]["Space"];
                };
            };
        };
    };
}
