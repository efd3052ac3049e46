/** Generated from the OpenAPI document: node kernel/scripts/console-api.mjs --write */
export interface paths {
    "/api/admin/set-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSetUpProgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["changeSetUpProgress"];
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
    "/api/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/approvals/{call_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getApproval"];
        put?: never;
        post?: never;
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
    "/api/files/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getFileContent"];
        put: operations["putFileContent"];
        post?: never;
        delete: operations["deleteFileContent"];
        options?: never;
        head?: never;
        patch?: never;
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
    "/api/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{run_id}/approvals/{call_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["answerApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{run_id}/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listRunCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{run_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["cancelRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSandbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/agents/{agent_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAgentSandbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/processes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listProcesses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/processes/{process_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getProcess"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/processes/{process_id}/output": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getProcessOutput"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/processes/{process_id}/output/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["streamProcessOutput"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/processes/{process_id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["stopProcess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/terminals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["openTerminal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/terminals/{process_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["connectTerminal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/skills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSkills"];
        put?: never;
        post: operations["createSkill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/skills/{source}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSkill"];
        put?: never;
        post?: never;
        delete: operations["deleteSkill"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/skills/{source}/{name}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["checkSkill"];
        put?: never;
        post: operations["checkSkillAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/skills/{source}/{name}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSkillFile"];
        put: operations["putSkillFile"];
        post?: never;
        delete: operations["deleteSkillFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/skills/{source}/{name}/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["updateSkill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/skills/install": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["installSkill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/skills/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["uploadSkill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/skills/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["validateSkill"];
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
    "/api/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listModelCalls"];
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
        AgentDeletedEvent: {
            data: components["schemas"]["AgentDeletedEventData"];
            event: "agent.deleted";
            id: string;
        };
        AgentDeletedEventData: {
            agent_id: string;
        };
        AgentFileAccess: {
            denied: string[];
            readable: string[];
            refused: string | null;
            writable: string[];
        };
        AgentLimits: {
            max_output_tokens?: number;
            max_run_secs?: number;
            max_tool_turns?: number;
        };
        AgentMemory: {
            enabled: boolean;
        };
        AgentNetworkAccess: {
            access: "off" | "policies";
            asked: components["schemas"]["AskedDestination"] | null;
            default_access: boolean;
            reason: string;
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
        AgentSandboxAccess: {
            agent_id: string;
            files: components["schemas"]["AgentFileAccess"];
            limits: components["schemas"]["AgentSandboxLimits"];
            network: components["schemas"]["AgentNetworkAccess"];
        };
        AgentSandboxLimits: {
            max_cpu_pct: number;
            max_memory_pct: number;
            max_processes: number;
            max_running: number;
            memory_bytes: number;
            timeout_secs: number;
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
        AnswerApproval: {
            decision: "approve" | "approve_once" | "deny" | "answer";
            note?: string;
            scope?: string;
        };
        AnswerFallback: {
            detail?: string;
            failure?: string;
            reason: "model_failed" | "model_group_unknown";
            used: string;
            wanted: string;
        };
        Approval: {
            agent_id: string;
            arguments: {
                [key: string]: unknown;
            };
            arguments_cut: boolean;
            call_id: string;
            chat_id: string;
            created_at: string;
            expires_at: string;
            kind: "approval";
            message_id: string;
            note: string | null;
            options: string[];
            purpose: string;
            remembers: boolean;
            resolved_at: string | null;
            run_id: string;
            scope: string | null;
            scopes: components["schemas"]["ApprovalScope"][];
            status: "pending" | "approved" | "denied" | "answered" | "expired" | "withdrawn";
            text: string;
            tool: string;
        };
        ApprovalOrQuestion: components["schemas"]["Approval"] | components["schemas"]["Question"];
        ApprovalOrQuestionPage: {
            items: components["schemas"]["ApprovalOrQuestion"][];
            next_cursor: string | null;
        };
        ApprovalRequestedEvent: {
            data: components["schemas"]["ApprovalRequestedEventData"];
            event: "approval.requested";
            id: string;
        };
        ApprovalRequestedEventData: {
            approval: components["schemas"]["ApprovalOrQuestion"];
            chat_id: string;
            run_id: string;
        };
        ApprovalResolvedEvent: {
            data: components["schemas"]["ApprovalResolvedEventData"];
            event: "approval.resolved";
            id: string;
        };
        ApprovalResolvedEventData: {
            approval: components["schemas"]["ApprovalOrQuestion"];
            chat_id: string;
            run_id: string;
        };
        ApprovalScope: {
            key: string;
            label: string;
        };
        AskedDestination: {
            allowed: boolean;
            host: string;
            port: number;
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
        ChangeSetUpProgress: {
            connection?: string | null;
            steps?: {
                [key: string]: "open" | "done" | "skipped";
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
        ChatImportProgress: {
            bytes_done: number;
            bytes_total: number;
            created_at: string;
            existing: number;
            failure: string | null;
            id: string;
            imported: number;
            path: string;
            pictures: number;
            product: "chatgpt" | "claude" | "open-webui" | "librechat" | null;
            skipped: number;
            state: "waiting" | "running" | "done" | "failed" | "cancelled";
            updated_at: string;
        };
        ChatImportUpdatedEvent: {
            data: components["schemas"]["ChatImportUpdatedEventData"];
            event: "chat_import.updated";
            id: string;
        };
        ChatImportUpdatedEventData: {
            import: components["schemas"]["ChatImportProgress"];
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
        ChatUpdatedEvent: {
            data: components["schemas"]["ChatUpdatedEventData"];
            event: "chat.updated";
            id: string;
        };
        ChatUpdatedEventData: {
            chat: components["schemas"]["Chat"];
            chat_id: string;
            compaction?: "started" | "done" | "failed";
            failure?: unknown;
            run_id?: string;
            summary?: components["schemas"]["Summary"];
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
        CreateMessage: {
            agent_id?: string;
            attachments?: components["schemas"]["AttachmentInput"][];
            compare_with?: components["schemas"]["CompareWith"];
            content?: string | components["schemas"]["TextInput"][];
            model?: string | null;
            replaces?: string;
        };
        CreateSkill: {
            agent_id?: string;
            description: string;
            name: string;
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
        Event: components["schemas"]["ResetEvent"] | components["schemas"]["AgentDeletedEvent"] | components["schemas"]["ApprovalRequestedEvent"] | components["schemas"]["ApprovalResolvedEvent"] | components["schemas"]["ChatCreatedEvent"] | components["schemas"]["ChatDeletedEvent"] | components["schemas"]["ChatUpdatedEvent"] | components["schemas"]["ChatImportUpdatedEvent"] | components["schemas"]["MemoryUpdatedEvent"] | components["schemas"]["MessageCreatedEvent"] | components["schemas"]["MessageUpdatedEvent"] | components["schemas"]["ReasoningDeltaEvent"] | components["schemas"]["RunCancelledEvent"] | components["schemas"]["RunCompletedEvent"] | components["schemas"]["RunFailedEvent"] | components["schemas"]["RunFallbackEvent"] | components["schemas"]["RunReducedEvent"] | components["schemas"]["RunRetryingEvent"] | components["schemas"]["RunStartedEvent"] | components["schemas"]["RunStoppingEvent"] | components["schemas"]["RunWaitingEvent"] | components["schemas"]["SpaceDeletedEvent"] | components["schemas"]["SpaceUpdatedEvent"] | components["schemas"]["TextDeltaEvent"] | components["schemas"]["ToolCallDeltaEvent"] | components["schemas"]["ToolCallFinishedEvent"] | components["schemas"]["ToolCallStartedEvent"] | components["schemas"]["UsageRecordedEvent"];
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
        InstallSkill: {
            agent_id?: string;
            archive?: string;
            files?: components["schemas"]["PackedSkillFile"][];
            from?: string;
            replace?: boolean;
            url?: string;
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
        MessageCreatedEvent: {
            data: components["schemas"]["MessageCreatedEventData"];
            event: "message.created";
            id: string;
        };
        MessageCreatedEventData: {
            chat_id: string;
            message: components["schemas"]["Message"];
            run_id?: string;
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
        MessageUpdatedEvent: {
            data: components["schemas"]["MessageUpdatedEventData"];
            event: "message.updated";
            id: string;
        };
        MessageUpdatedEventData: {
            chat_id: string;
            message: components["schemas"]["Message"];
            run_id?: string;
        };
        ModelCall: {
            agent_id: string | null;
            cache_write_input_tokens: number;
            cached_input_tokens: number;
            chat_id: string | null;
            cost_usd: number | null;
            duration_ms: number;
            estimated: boolean;
            failure: string | null;
            fallback: number;
            first_token_ms: number | null;
            group: string;
            id: string;
            in_one_piece: boolean;
            input_tokens: number;
            model: string;
            outcome: "completed" | "failed" | "cancelled" | "lost";
            output_tokens: number;
            price_version: string | null;
            protocol: string;
            provider: string;
            purpose: string | null;
            reasoning_tokens: number;
            request_id: string | null;
            retries: number;
            run_id: string | null;
            started_at: string;
            stop_reason: string | null;
        };
        ModelCallPage: {
            items: components["schemas"]["ModelCall"][];
            next_cursor: string | null;
        };
        ModelGroup: {
            abilities?: string[];
            brand: string;
            brand_name: string;
            context_window: number;
            embeds?: boolean;
            fallbacks: string[];
            input?: string[];
            local?: boolean;
            max_output_tokens?: number;
            max_tokens?: number;
            model: string;
            name: string;
            price?: components["schemas"]["Price"];
            provider: string;
            title: string;
            tools?: boolean;
        };
        ModelGroupPage: {
            items: components["schemas"]["ModelGroup"][];
            next_cursor: string | null;
        };
        ModelUsage: {
            cache_write_input_tokens?: number;
            cached_input_tokens: number;
            input_tokens: number;
            output_tokens: number;
            reasoning_tokens: number;
        };
        OmittedPart: {
            id: string;
            reason: "not_installed" | "failed" | "too_large";
        };
        OpenTerminal: {
            agent_id: string;
            columns: number;
            directory?: string;
            rows: number;
        };
        PackedSkillFile: {
            content: string;
            path: string;
        };
        Part: components["schemas"]["TextPart"] | components["schemas"]["ImagePart"] | components["schemas"]["FilePart"] | components["schemas"]["ReasoningPart"] | components["schemas"]["ToolCallPart"] | components["schemas"]["ToolResultPart"];
        Price: {
            cache_write?: number;
            cached_input?: number;
            input: number;
            output: number;
            tiers?: components["schemas"]["PriceTier"][];
        };
        PriceTier: {
            above_input_tokens: number;
            cache_write?: number;
            cached_input?: number;
            input: number;
            output: number;
        };
        PromptSection: {
            name: string;
            source: "shared" | "agent" | "left_out";
            text: string;
        };
        Question: {
            agent_id: string;
            arguments: {
                [key: string]: unknown;
            };
            arguments_cut: boolean;
            call_id: string;
            chat_id: string;
            created_at: string;
            expires_at: string;
            kind: "question";
            message_id: string;
            note: string | null;
            options: string[];
            purpose: string;
            remembers: boolean;
            resolved_at: string | null;
            run_id: string;
            scope: string | null;
            scopes: components["schemas"]["ApprovalScope"][];
            status: "pending" | "approved" | "denied" | "answered" | "expired" | "withdrawn";
            text: string;
            tool: string;
        };
        ReasoningDeltaEvent: {
            data: components["schemas"]["ReasoningDeltaEventData"];
            event: "reasoning.delta";
            id: string;
        };
        ReasoningDeltaEventData: {
            chat_id: string;
            message_id: string;
            offset: number;
            part: number;
            run_id: string;
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
        ResetEvent: {
            data: components["schemas"]["ResetEventData"];
            event: "reset";
            id: string;
        };
        ResetEventData: {
            reason: "not_kept" | "too_slow";
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
        RunCall: {
            call_id: string;
            content?: components["schemas"]["ResultPart"][];
            files?: components["schemas"]["MadeFile"][];
            finished_at: string | null;
            is_error: boolean;
            message_id: string;
            name: string;
            outcome?: "unknown";
            output?: components["schemas"]["ShownOutput"];
            part: number;
            started_at: string | null;
        };
        RunCalls: {
            calls: components["schemas"]["RunCall"][];
        };
        RunCancelledEvent: {
            data: components["schemas"]["RunCancelledEventData"];
            event: "run.cancelled";
            id: string;
        };
        RunCancelledEventData: {
            chat_id: string;
            failure?: components["schemas"]["Failure"];
            run: components["schemas"]["Run"];
            run_id: string;
        };
        RunCompletedEvent: {
            data: components["schemas"]["RunCompletedEventData"];
            event: "run.completed";
            id: string;
        };
        RunCompletedEventData: {
            chat_id: string;
            run: components["schemas"]["Run"];
            run_id: string;
        };
        RunFailedEvent: {
            data: components["schemas"]["RunFailedEventData"];
            event: "run.failed";
            id: string;
        };
        RunFailedEventData: {
            chat_id: string;
            failure?: components["schemas"]["Failure"];
            run: components["schemas"]["Run"];
            run_id: string;
        };
        RunFallbackEvent: {
            data: components["schemas"]["RunFallbackEventData"];
            event: "run.fallback";
            id: string;
        };
        RunFallbackEventData: {
            chat_id: string;
            detail?: string;
            failure?: string;
            reason: "model_failed" | "model_group_unknown";
            run_id: string;
            used?: string;
            void?: components["schemas"]["VoidedText"];
            wanted?: string;
        };
        RunPage: {
            items: components["schemas"]["Run"][];
            next_cursor: string | null;
        };
        RunReducedEvent: {
            data: components["schemas"]["RunReducedEventData"];
            event: "run.reduced";
            id: string;
        };
        RunReducedEventData: {
            chat_id: string;
            count: number;
            left_out: "parts" | "tools";
            model: string;
            provider: string;
            reason: string;
            run_id: string;
        };
        RunRetry: {
            attempt?: number;
            delay_ms: number;
            failure: string;
            max_attempts?: number;
            next_at: string;
            reason: string;
        };
        RunRetryingEvent: {
            data: components["schemas"]["RunRetryingEventData"];
            event: "run.retrying";
            id: string;
        };
        RunRetryingEventData: {
            attempt?: number;
            chat_id: string;
            delay_ms?: number;
            failure?: string;
            max_attempts?: number;
            next_at?: string;
            reason?: string;
            run_id: string;
            void?: components["schemas"]["VoidedText"];
        };
        RunStartedEvent: {
            data: components["schemas"]["RunStartedEventData"];
            event: "run.started";
            id: string;
        };
        RunStartedEventData: {
            agent_id: string;
            chat_id: string;
            resumed?: boolean;
            run_id: string;
            void?: components["schemas"]["VoidedText"];
        };
        RunStoppingEvent: {
            data: components["schemas"]["RunStoppingEventData"];
            event: "run.stopping";
            id: string;
        };
        RunStoppingEventData: {
            chat_id: string;
            run_id: string;
        };
        RunWaitingEvent: {
            data: components["schemas"]["RunWaitingEventData"];
            event: "run.waiting";
            id: string;
        };
        RunWaitingEventData: {
            asking: string[];
            chat_id: string;
            run_id: string;
            until?: string | null;
        };
        SandboxActor: {
            handle: string | null;
            id: string;
            kind: string;
        };
        SandboxExit: {
            code: number | null;
            cpu_ms: number | null;
            peak_memory_bytes: number | null;
            reason: string;
            signal: string | null;
        };
        SandboxFence: {
            by: string;
            reason: string;
            state: "closed" | "partial" | "open";
        };
        SandboxFences: {
            destinations: components["schemas"]["SandboxFence"];
            files: components["schemas"]["SandboxFence"];
            limits: components["schemas"]["SandboxFence"];
            network: components["schemas"]["SandboxFence"];
            processes: components["schemas"]["SandboxFence"];
        };
        SandboxMachine: {
            memory_bytes: number;
            principals: number;
            processors: number;
            running: number;
        };
        SandboxOutput: {
            ended: boolean;
            next_from: number;
            pieces: components["schemas"]["SandboxOutputPiece"][];
            skipped: boolean;
        };
        SandboxOutputPiece: {
            from: number;
            stream: "stdout" | "stderr" | "terminal";
            text: string;
        };
        SandboxProcess: {
            actor: components["schemas"]["SandboxActor"];
            background: boolean;
            ended_at: string | null;
            exit: components["schemas"]["SandboxExit"] | null;
            id: string;
            kind: string;
            output_bytes: number;
            started_at: string;
            terminal: boolean;
            title: string;
        };
        SandboxProcessPage: {
            items: components["schemas"]["SandboxProcess"][];
            next_cursor: string | null;
        };
        SandboxSettings: {
            default_network_access: boolean;
            max_cpu_pct: number;
            max_memory_pct: number;
            max_total_cpu_pct: number;
            max_total_memory_pct: number;
            package_min_age_days: number;
            timeout_secs: number;
        };
        SandboxStatus: {
            confines: boolean;
            disabled: boolean;
            driver: string | null;
            fences: components["schemas"]["SandboxFences"] | null;
            limits: components["schemas"]["SandboxSettings"];
            machine: components["schemas"]["SandboxMachine"] | null;
            mode: string;
            reason: string | null;
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
        SetUpProgress: {
            connection: string | null;
            steps: {
                [key: string]: "open" | "done" | "skipped";
            };
        };
        SharedAgent: {
            handle: string;
            update_available: boolean;
        };
        ShownOutput: {
            offset: number;
            text: string;
        };
        Skill: {
            agent_id: string | null;
            allowed_tools: string[];
            compatibility: string | null;
            description: string;
            license: string | null;
            metadata: {
                [key: string]: string;
            };
            modified_at: string | null;
            name: string;
            problem: components["schemas"]["SkillProblem"] | null;
            shadowed_by: "bundled" | "shared" | "user" | "agent" | null;
            source: "bundled" | "shared" | "user" | "agent";
            warnings: components["schemas"]["SkillProblem"][];
        };
        SkillAddressCheck: {
            name: string;
            sha256: string;
            state: "unchanged" | "changed";
            version: string | null;
        };
        SkillCheck: {
            added: string[];
            changed: string[];
            installation: components["schemas"]["SkillInstallation"] | null;
            name: string;
            removed: string[];
            sha256: string;
            source: "bundled" | "shared" | "user" | "agent";
            state: "unchanged" | "changed" | "not_installed";
        };
        SkillDetails: {
            agent_id: string | null;
            allowed_tools: string[];
            compatibility: string | null;
            description: string;
            files: components["schemas"]["SkillFile"][];
            installation: components["schemas"]["SkillInstallation"] | null;
            license: string | null;
            metadata: {
                [key: string]: string;
            };
            modified_at: string | null;
            name: string;
            problem: components["schemas"]["SkillProblem"] | null;
            shadowed_by: "bundled" | "shared" | "user" | "agent" | null;
            source: "bundled" | "shared" | "user" | "agent";
            warnings: components["schemas"]["SkillProblem"][];
        };
        SkillExamination: {
            bytes: number;
            description: string;
            files: number;
            name: string;
            warnings: components["schemas"]["SkillProblem"][];
        };
        SkillFile: {
            etag: string;
            modified_at: string;
            path: string;
            size: number;
        };
        SkillInstallation: {
            from: string | null;
            installed_at: string;
            origin: "archive" | "folder" | "url" | "created";
            sha256: string;
            version: string | null;
        };
        SkillPage: {
            items: components["schemas"]["Skill"][];
            next_cursor: string | null;
        };
        SkillProblem: {
            file: string;
            line: number;
            message: string;
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
        StoredFile: {
            etag: string;
            modified_at: string;
            path: string;
            size: number;
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
        TextDeltaEvent: {
            data: components["schemas"]["TextDeltaEventData"];
            event: "text.delta";
            id: string;
        };
        TextDeltaEventData: {
            chat_id: string;
            message_id: string;
            offset: number;
            part: number;
            run_id: string;
            text: string;
        };
        TextInput: {
            text: string;
            type: "text";
        };
        TextPart: {
            text: string;
            type: "text";
        };
        Tool: {
            approval: "never" | "first_time" | "always" | null;
            available: boolean;
            description: string | null;
            display: components["schemas"]["ToolDisplay"] | null;
            effect: "read" | "idempotent" | "checkable" | "unsafe" | null;
            message: string | null;
            name: string;
            parameters: components["schemas"]["ToolParameters"] | null;
            plugin_id: string | null;
            reason: "policy" | "withheld" | "not_found" | null;
            source: string | null;
            title: string | null;
        };
        ToolCallDeltaEvent: {
            data: components["schemas"]["ToolCallDeltaEventData"];
            event: "tool_call.delta";
            id: string;
        };
        ToolCallDeltaEventData: {
            call_id: string;
            chat_id: string;
            message_id: string;
            name?: string;
            offset?: number;
            output?: components["schemas"]["ToolOutput"];
            part: number;
            progress?: components["schemas"]["ToolProgress"];
            run_id: string;
            text?: string;
        };
        ToolCallFinishedEvent: {
            data: components["schemas"]["ToolCallFinishedEventData"];
            event: "tool_call.finished";
            id: string;
        };
        ToolCallFinishedEventData: {
            call_id: string;
            chat_id: string;
            content: components["schemas"]["ResultPart"][];
            files?: components["schemas"]["MadeFile"][];
            is_error: boolean;
            message_id: string;
            outcome?: string;
            part: number;
            run_id: string;
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
        ToolCallStartedEvent: {
            data: components["schemas"]["ToolCallStartedEventData"];
            event: "tool_call.started";
            id: string;
        };
        ToolCallStartedEventData: {
            arguments: {
                [key: string]: unknown;
            };
            call_id: string;
            chat_id: string;
            message_id: string;
            part: number;
            purpose?: string;
            run_id: string;
        };
        ToolDisplay: {
            icon?: "agent" | "book" | "browser" | "clock" | "code" | "file" | "folder" | "key" | "mail" | "memory" | "package" | "person" | "search" | "share" | "task" | "terminal" | "tool" | "web";
            words: {
                [key: string]: components["schemas"]["ToolWords"];
            };
        };
        ToolOutput: {
            offset: number;
            text: string;
        };
        ToolPage: {
            items: components["schemas"]["Tool"][];
            next_cursor: string | null;
        };
        ToolParameters: {
            [key: string]: unknown;
        };
        ToolProgress: {
            fraction?: number;
            message: string;
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
        ToolWords: {
            ask: string | string[];
            done: string | string[];
            failed: string | string[];
            running: string | string[];
            title: string;
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
        UsageRecordedEvent: {
            data: components["schemas"]["UsageRecordedEventData"];
            event: "usage.recorded";
            id: string;
        };
        UsageRecordedEventData: {
            chat_id: string;
            message_id?: string;
            model: string;
            provider: string;
            run_id: string;
            stop_reason?: string;
            usage: components["schemas"]["ModelUsage"];
        };
        ValidateSkill: {
            archive?: string;
            files?: components["schemas"]["PackedSkillFile"][];
        };
        VoidedText: {
            message_id: string;
            offset: number;
            part: number;
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
    getSetUpProgress: {
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
                    "application/json": components["schemas"]["SetUpProgress"];
                };
            };
        };
    };
    changeSetUpProgress: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeSetUpProgress"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetUpProgress"];
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
    listApprovals: {
        parameters: {
            query?: {
                chat_id?: string;
                cursor?: string;
                limit?: number;
                status?: "pending" | "approved" | "denied" | "answered" | "expired" | "withdrawn";
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
                    "application/json": components["schemas"]["ApprovalOrQuestionPage"];
                };
            };
        };
    };
    getApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                call_id: string;
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
                    "application/json": components["schemas"]["ApprovalOrQuestion"];
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
    getFileContent: {
        parameters: {
            query: {
                path: string;
                view?: "inline";
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
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    putFileContent: {
        parameters: {
            query: {
                path: string;
            };
            header?: never;
            path?: never;
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
                    "application/json": components["schemas"]["StoredFile"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredFile"];
                };
            };
        };
    };
    deleteFileContent: {
        parameters: {
            query: {
                path: string;
            };
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
    listModels: {
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
                    "application/json": components["schemas"]["ModelGroupPage"];
                };
            };
        };
    };
    getRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
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
                    "application/json": components["schemas"]["Run"];
                };
            };
        };
    };
    answerApproval: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                call_id: string;
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnswerApproval"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalOrQuestion"];
                };
            };
        };
    };
    listRunCalls: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
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
                    "application/json": components["schemas"]["RunCalls"];
                };
            };
        };
    };
    cancelRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
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
                    "application/json": components["schemas"]["Run"];
                };
            };
        };
    };
    getSandbox: {
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
                    "application/json": components["schemas"]["SandboxStatus"];
                };
            };
        };
    };
    getAgentSandbox: {
        parameters: {
            query?: {
                host?: string;
                port?: number;
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
                    "application/json": components["schemas"]["AgentSandboxAccess"];
                };
            };
        };
    };
    listProcesses: {
        parameters: {
            query?: {
                agent_id?: string;
                cursor?: string;
                limit?: number;
                state?: "running" | "ended";
                terminal?: boolean;
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
                    "application/json": components["schemas"]["SandboxProcessPage"];
                };
            };
        };
    };
    getProcess: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                process_id: string;
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
                    "application/json": components["schemas"]["SandboxProcess"];
                };
            };
        };
    };
    getProcessOutput: {
        parameters: {
            query?: {
                from?: number;
            };
            header?: never;
            path: {
                process_id: string;
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
                    "application/json": components["schemas"]["SandboxOutput"];
                };
            };
        };
    };
    streamProcessOutput: {
        parameters: {
            query?: {
                from?: number;
            };
            header?: never;
            path: {
                process_id: string;
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
                    "text/event-stream": string;
                };
            };
        };
    };
    stopProcess: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                process_id: string;
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
                    "application/json": components["schemas"]["SandboxProcess"];
                };
            };
        };
    };
    openTerminal: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpenTerminal"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxProcess"];
                };
            };
        };
    };
    connectTerminal: {
        parameters: {
            query?: {
                from?: number;
                watch?: boolean;
            };
            header?: never;
            path: {
                process_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listSkills: {
        parameters: {
            query?: {
                agent_id?: string;
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
                    "application/json": components["schemas"]["SkillPage"];
                };
            };
        };
    };
    createSkill: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSkill"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillDetails"];
                };
            };
        };
    };
    getSkill: {
        parameters: {
            query?: {
                agent_id?: string;
            };
            header?: never;
            path: {
                name: string;
                source: "bundled" | "shared" | "user" | "agent";
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
                    "application/json": components["schemas"]["SkillDetails"];
                };
            };
        };
    };
    deleteSkill: {
        parameters: {
            query?: {
                agent_id?: string;
            };
            header?: never;
            path: {
                name: string;
                source: "user" | "agent";
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
    checkSkill: {
        parameters: {
            query?: {
                agent_id?: string;
            };
            header?: never;
            path: {
                name: string;
                source: "bundled" | "shared" | "user" | "agent";
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
                    "application/json": components["schemas"]["SkillCheck"];
                };
            };
        };
    };
    checkSkillAddress: {
        parameters: {
            query?: {
                agent_id?: string;
            };
            header?: never;
            path: {
                name: string;
                source: "user" | "agent";
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
                    "application/json": components["schemas"]["SkillAddressCheck"];
                };
            };
        };
    };
    getSkillFile: {
        parameters: {
            query?: {
                agent_id?: string;
                path?: string;
            };
            header?: never;
            path: {
                name: string;
                source: "bundled" | "shared" | "user" | "agent";
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
    putSkillFile: {
        parameters: {
            query?: {
                agent_id?: string;
                path?: string;
            };
            header?: never;
            path: {
                name: string;
                source: "user" | "agent";
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
                    "application/json": components["schemas"]["SkillFile"];
                };
            };
        };
    };
    deleteSkillFile: {
        parameters: {
            query?: {
                agent_id?: string;
                path?: string;
            };
            header?: never;
            path: {
                name: string;
                source: "user" | "agent";
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
    updateSkill: {
        parameters: {
            query?: {
                agent_id?: string;
            };
            header?: never;
            path: {
                name: string;
                source: "user" | "agent";
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
                    "application/json": components["schemas"]["SkillDetails"];
                };
            };
        };
    };
    installSkill: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InstallSkill"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillDetails"];
                };
            };
        };
    };
    uploadSkill: {
        parameters: {
            query?: {
                agent_id?: string;
                from?: string;
                replace?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "*/*": unknown;
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillDetails"];
                };
            };
        };
    };
    validateSkill: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ValidateSkill"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillExamination"];
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
    listTools: {
        parameters: {
            query?: {
                agent?: string;
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
                    "application/json": components["schemas"]["ToolPage"];
                };
            };
        };
    };
    listModelCalls: {
        parameters: {
            query?: {
                chat_id?: string;
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
                    "application/json": components["schemas"]["ModelCallPage"];
                };
            };
        };
    };
}
