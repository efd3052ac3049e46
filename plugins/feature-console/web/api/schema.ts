/** Generated from the OpenAPI document: node kernel/scripts/console-api.mjs --write */
export interface paths {
    "/api/admin/account-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAccountRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/account-requests/{request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["refuseAccountRequest"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/account-requests/{request_id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["approveAccountRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
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
    "/api/admin/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listCredentials"];
        put?: never;
        post: operations["createCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/credentials/{credential_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCredential"];
        put?: never;
        post?: never;
        delete: operations["deleteCredential"];
        options?: never;
        head?: never;
        patch: operations["changeCredential"];
        trace?: never;
    };
    "/api/admin/credentials/{credential_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/credentials/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["beginAccountSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/credentials/sign-in/{sign_in_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAccountSignIn"];
        put?: never;
        post?: never;
        delete: operations["cancelAccountSignIn"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/credentials/sign-in/{sign_in_id}/redirect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["completeAccountSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/credentials/sign-in/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["returnFromAccountSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getServiceHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/health/checks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["runHealthChecks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listInvitations"];
        put?: never;
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/invitations/{invitation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listLogEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/logs/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["streamLogEntries"];
        put?: never;
        post?: never;
        delete?: never;
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
    "/api/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listUsers"];
        put?: never;
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        patch: operations["changeUser"];
        trace?: never;
    };
    "/api/admin/users/{user_id}/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUserDataSizes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{user_id}/identities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listIdentitiesOfUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{user_id}/identities/{identity_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["unlinkIdentityOfUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{user_id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSessionsOfUser"];
        put?: never;
        post?: never;
        delete: operations["endSessionsOfUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{user_id}/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["endSessionOfUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["confirmSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/email/code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["sendEmailCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/email/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["confirmEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["findInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getOwnProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["changeOwnProfile"];
        trace?: never;
    };
    "/api/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["changePassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTokens"];
        put?: never;
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/tokens/{token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/username": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["changeUsername"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/console/panels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listConsolePanels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/console/panels/{panel_id}/frame": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getConsolePanelFrame"];
        put?: never;
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
    "/api/users/me/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["exportOwnAccount"];
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
        AccountRequest: {
            created_at: string;
            email: string | null;
            expires_at: string;
            id: string;
            issuer: string | null;
            name: string | null;
            username: string;
        };
        AccountRequestPage: {
            items: components["schemas"]["AccountRequest"][];
            next_cursor: string | null;
        };
        AccountSignIn: {
            authorization_url?: string;
            brand: string;
            credential_id?: string;
            expires_at: string;
            kind: "device" | "browser";
            message?: string;
            reason?: "denied" | "expired" | "refused" | "unavailable";
            returns_here?: boolean;
            sign_in_id: string;
            state: "pending" | "completed" | "failed" | "cancelled";
            user_code?: string;
            verification_url?: string;
        };
        AccountWaiting: {
            expires_at: string;
            status: "waiting";
            username: string;
        };
        AdministeredUser: {
            created_at: string;
            disabled: boolean;
            email: string | null;
            email_verified: boolean;
            handle: string;
            has_password: boolean;
            id: string;
            language: string | null;
            name: string | null;
            role: "admin" | "user";
            timezone: string | null;
            updated_at: string;
            username: string;
        };
        AdministeredUserPage: {
            items: components["schemas"]["AdministeredUser"][];
            next_cursor: string | null;
        };
        AgentFileAccess: {
            denied: string[];
            readable: string[];
            refused: string | null;
            writable: string[];
        };
        AgentNetworkAccess: {
            access: "off" | "policies";
            asked: components["schemas"]["AskedDestination"] | null;
            default_access: boolean;
            reason: string;
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
        AskedDestination: {
            allowed: boolean;
            host: string;
            port: number;
        };
        AuditEntry: {
            actor_id: string | null;
            actor_name: string | null;
            address: string | null;
            after: components["schemas"]["AuditState"] | null;
            at: string;
            before: components["schemas"]["AuditState"] | null;
            details: {
                [key: string]: unknown;
            };
            id: string;
            kind: string;
            operation: string | null;
            outcome: "succeeded" | "failed";
            request_id: string | null;
            session_id: string | null;
            source: "request" | "command_line" | "service" | null;
            subject_id: string | null;
            subject_name: string | null;
            token_id: string | null;
        };
        AuditEntryPage: {
            items: components["schemas"]["AuditEntry"][];
            next_cursor: string | null;
        };
        AuditState: {
            [key: string]: unknown;
        };
        BeginAccountSignIn: {
            brand: string;
            credential_id?: string;
            label?: string;
        };
        ChangeConfiguration: {
            reset?: string[];
            set?: {
                [key: string]: unknown;
            };
        };
        ChangeCredential: {
            api_key?: string;
            label?: string;
        };
        ChangeOwnProfile: {
            email?: string | null;
            language?: string | null;
            name?: string | null;
            timezone?: string | null;
        };
        ChangePassword: {
            current_password: string;
            new_password: string;
        };
        ChangeSetUpProgress: {
            connection?: string | null;
            steps?: {
                [key: string]: "open" | "done" | "skipped";
            };
        };
        ChangeUser: {
            disabled?: boolean;
            email?: string | null;
            email_verified?: boolean;
            language?: string | null;
            name?: string | null;
            password?: string;
            role?: "admin" | "user";
            timezone?: string | null;
        };
        ChangeUsername: {
            username: string;
        };
        CheckConfiguration: {
            reset?: string[];
            set?: {
                [key: string]: unknown;
            };
        };
        CompleteAccountSignIn: {
            url: string;
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
        ConfigurationState: {
            exists: boolean;
            path: string;
            warnings: string[];
        };
        Confirmed: {
            confirmed_until: string;
        };
        ConfirmEmail: {
            code: string;
        };
        ConfirmSession: {
            password: string;
        };
        ConsolePanel: {
            content: components["schemas"]["ConsolePanelSections"] | components["schemas"]["ConsolePanelComponent"] | components["schemas"]["ConsolePanelScreen"];
            description: components["schemas"]["ConsolePanelText"] | null;
            group: "main" | "personal" | "admin" | "none" | "user" | "set_up";
            icon: string;
            id: string;
            keywords: components["schemas"]["ConsolePanelText"] | null;
            order: number;
            page_routes: string[];
            plugin_id: string;
            routes: components["schemas"]["ConsolePanelRoute"][];
            title: components["schemas"]["ConsolePanelText"];
        };
        ConsolePanelComponent: {
            element: string;
            kind: "component";
        };
        ConsolePanelPage: {
            items: components["schemas"]["ConsolePanel"][];
            next_cursor: string | null;
        };
        ConsolePanelRoute: {
            method: string;
            path: string;
        };
        ConsolePanelsChangedEvent: {
            data: components["schemas"]["ConsolePanelsChangedEventData"];
            event: "console.panels_changed";
            id: string;
        };
        ConsolePanelsChangedEventData: Record<string, never>;
        ConsolePanelScreen: {
            imports: string[];
            kind: "screen";
            kit: string[];
            module: string;
            start: components["schemas"]["ConsolePanelStart"] | null;
            styles: string[];
        };
        ConsolePanelSection: {
            kind: string;
        };
        ConsolePanelSections: {
            kind: "sections";
            sections: components["schemas"]["ConsolePanelSection"][];
        };
        ConsolePanelStart: {
            imports: string[];
            kit: string[];
            module: string;
            styles: string[];
        };
        ConsolePanelText: {
            [key: string]: string;
        };
        CreateCredential: {
            api_key: string;
            brand: string;
            label: string;
        };
        CreatedToken: {
            created_at: string;
            expires_at: string | null;
            id: string;
            last_used_at: string | null;
            name: string;
            prefix: string;
            scopes: ("read" | "write" | "admin" | "inference" | "metrics")[];
            token: string;
        };
        CreateInvitation: {
            email?: string | null;
            expires_in_hours?: number;
            max_uses?: number;
            name?: string | null;
            role?: "admin" | "user";
        };
        CreateToken: {
            expires_in_days?: number;
            name: string;
            scopes?: ("read" | "write" | "admin" | "inference" | "metrics")[];
        };
        CreateUser: {
            email?: string | null;
            email_verified?: boolean;
            language?: string | null;
            name?: string | null;
            password: string;
            role?: "admin" | "user";
            timezone?: string | null;
            username: string;
        };
        Credential: {
            brand: string;
            check_ok: boolean | null;
            checked_at: string | null;
            connections: string[];
            created_at: string;
            expires_at?: string;
            hint: string;
            id: string;
            kind: "api_key" | "account";
            label: string;
            state: "ready" | "sign_in_needed";
        };
        CredentialCheck: {
            checked_at: string;
            message: string;
            ok: boolean;
        };
        CredentialPage: {
            items: components["schemas"]["Credential"][];
            next_cursor: string | null;
        };
        DatabaseState: {
            driver: string;
            reason: string | null;
            writable: boolean;
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
        DiskFigures: {
            free_bytes: number;
            path: string;
            total_bytes: number;
        };
        EmailCodeSent: {
            to: string;
        };
        Event: components["schemas"]["ResetEvent"] | components["schemas"]["ConsolePanelsChangedEvent"];
        EventLoopFigures: {
            delay_ms: number;
            utilization: number;
        };
        ExternalIdentity: {
            created_at: string;
            email: string | null;
            email_verified: boolean | null;
            id: string;
            issuer: string;
            last_sign_in_at: string;
            subject: string;
        };
        ExternalIdentityPage: {
            items: components["schemas"]["ExternalIdentity"][];
            next_cursor: string | null;
        };
        FindInvitation: {
            invitation: string;
        };
        FoundInvitation: {
            email: string | null;
            expires_at: string;
            name: string | null;
        };
        HealthCheck: {
            findings: components["schemas"]["HealthFinding"][];
            id: string;
            plugin: string | null;
            title: string;
        };
        HealthChecks: {
            at: string;
            checks: components["schemas"]["HealthCheck"][];
        };
        HealthFinding: {
            state: "well" | "warning" | "failed";
            text: string;
        };
        Invitation: {
            created_at: string;
            email: string | null;
            expires_at: string;
            id: string;
            made_by: string | null;
            max_uses: number;
            name: string | null;
            role: "admin" | "user";
            state: "open" | "used" | "expired" | "revoked";
            uses: number;
        };
        InvitationPage: {
            items: components["schemas"]["Invitation"][];
            next_cursor: string | null;
        };
        LockedPath: {
            path: string;
            variable: string;
        };
        LogEntry: {
            at: string;
            fields: {
                [key: string]: unknown;
            };
            id: string;
            level: "debug" | "info" | "warn" | "error";
            message: string;
            source: string;
        };
        LogEntryPage: {
            items: components["schemas"]["LogEntry"][];
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
        NewInvitation: {
            created_at: string;
            email: string | null;
            expires_at: string;
            id: string;
            link: string;
            made_by: string | null;
            max_uses: number;
            name: string | null;
            role: "admin" | "user";
            state: "open" | "used" | "expired" | "revoked";
            uses: number;
        };
        OpenTerminal: {
            agent_id: string;
            columns: number;
            directory?: string;
            rows: number;
        };
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
        ProcessFigures: {
            cpu_ms: number;
            event_loop: components["schemas"]["EventLoopFigures"];
            heap_limit_bytes: number;
            heap_used_bytes: number;
            load: number;
            memory_bytes: number;
            memory_free_bytes: number;
            node: string;
            pid: number;
            platform: string;
            processors: number;
            resident_bytes: number;
            started_at: string;
        };
        Register: {
            email?: string | null;
            invitation?: string;
            language?: string | null;
            name?: string | null;
            password: string;
            setup_code?: string;
            timezone?: string | null;
            username: string;
        };
        ResetEvent: {
            data: components["schemas"]["ResetEventData"];
            event: "reset";
            id: string;
        };
        ResetEventData: {
            reason: "not_kept" | "too_slow";
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
        SavedConfiguration: {
            locked: components["schemas"]["LockedPath"][];
            restart_required: boolean;
            revision: string;
        };
        ServiceHealth: {
            configuration: components["schemas"]["ConfigurationState"];
            database: components["schemas"]["DatabaseState"];
            disk: components["schemas"]["DiskFigures"] | null;
            impaired: string | null;
            process: components["schemas"]["ProcessFigures"];
            reason: string | null;
            started_at: string;
            version: string;
        };
        Session: {
            address: string;
            created_at: string;
            current: boolean;
            expires_at: string;
            id: string;
            last_used_at: string;
            user_agent: string;
        };
        SessionPage: {
            items: components["schemas"]["Session"][];
            next_cursor: string | null;
        };
        SetUpProgress: {
            connection: string | null;
            steps: {
                [key: string]: "open" | "done" | "skipped";
            };
        };
        SignedIn: {
            access_token: string;
            expires_in: number;
            token_type: "Bearer";
            user: components["schemas"]["User"];
        };
        Token: {
            created_at: string;
            expires_at: string | null;
            id: string;
            last_used_at: string | null;
            name: string;
            prefix: string;
            scopes: ("read" | "write" | "admin" | "inference" | "metrics")[];
        };
        TokenPage: {
            items: components["schemas"]["Token"][];
            next_cursor: string | null;
        };
        User: {
            created_at: string;
            email: string | null;
            email_verified: boolean;
            handle: string;
            id: string;
            language: string | null;
            name: string | null;
            role: "admin" | "user";
            timezone: string | null;
            updated_at: string;
            username: string;
        };
        UserDataSize: {
            bytes: number | null;
            id: string;
            plugin: string;
            raw: boolean;
            records: number | null;
            state: string;
        };
        UserDataSizes: {
            absent_plugins: string[];
            files: components["schemas"]["UserFilesSize"];
            parts: components["schemas"]["UserDataSize"][];
        };
        UserFilesSize: {
            bytes: number;
            max_bytes: number | null;
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
    listAccountRequests: {
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
                    "application/json": components["schemas"]["AccountRequestPage"];
                };
            };
        };
    };
    refuseAccountRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                request_id: string;
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
    approveAccountRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                request_id: string;
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
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    listAuditEvents: {
        parameters: {
            query?: {
                actor_id?: string;
                cursor?: string;
                from?: string;
                kind?: string;
                limit?: number;
                outcome?: "succeeded" | "failed";
                subject_id?: string;
                to?: string;
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
                    "application/json": components["schemas"]["AuditEntryPage"];
                };
            };
        };
    };
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
    listCredentials: {
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
                    "application/json": components["schemas"]["CredentialPage"];
                };
            };
        };
    };
    createCredential: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCredential"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Credential"];
                };
            };
        };
    };
    getCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                credential_id: string;
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
                    "application/json": components["schemas"]["Credential"];
                };
            };
        };
    };
    deleteCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                credential_id: string;
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
    changeCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                credential_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeCredential"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Credential"];
                };
            };
        };
    };
    testCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                credential_id: string;
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
                    "application/json": components["schemas"]["CredentialCheck"];
                };
            };
        };
    };
    beginAccountSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BeginAccountSignIn"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountSignIn"];
                };
            };
        };
    };
    getAccountSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sign_in_id: string;
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
                    "application/json": components["schemas"]["AccountSignIn"];
                };
            };
        };
    };
    cancelAccountSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sign_in_id: string;
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
                    "application/json": components["schemas"]["AccountSignIn"];
                };
            };
        };
    };
    completeAccountSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sign_in_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompleteAccountSignIn"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountSignIn"];
                };
            };
        };
    };
    returnFromAccountSignIn: {
        parameters: {
            query?: {
                code?: string;
                error?: string;
                iss?: string;
                state?: string;
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
                    "text/plain": string;
                };
            };
        };
    };
    getServiceHealth: {
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
                    "application/json": components["schemas"]["ServiceHealth"];
                };
            };
        };
    };
    runHealthChecks: {
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
                    "application/json": components["schemas"]["HealthChecks"];
                };
            };
        };
    };
    listInvitations: {
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
                    "application/json": components["schemas"]["InvitationPage"];
                };
            };
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateInvitation"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewInvitation"];
                };
            };
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                invitation_id: string;
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
    listLogEntries: {
        parameters: {
            query?: {
                cursor?: string;
                level?: "debug" | "info" | "warn" | "error";
                limit?: number;
                search?: string;
                source?: string;
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
                    "application/json": components["schemas"]["LogEntryPage"];
                };
            };
        };
    };
    streamLogEntries: {
        parameters: {
            query?: {
                after?: string;
                level?: "debug" | "info" | "warn" | "error";
                search?: string;
                source?: string;
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
                    "text/event-stream": string;
                };
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
    listUsers: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                role?: "admin" | "user";
                search?: string;
                state?: "active" | "disabled";
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
                    "application/json": components["schemas"]["AdministeredUserPage"];
                };
            };
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateUser"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdministeredUser"];
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
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
                    "application/json": components["schemas"]["AdministeredUser"];
                };
            };
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
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
    changeUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeUser"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdministeredUser"];
                };
            };
        };
    };
    getUserDataSizes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
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
                    "application/json": components["schemas"]["UserDataSizes"];
                };
            };
        };
    };
    listIdentitiesOfUser: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                user_id: string;
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
                    "application/json": components["schemas"]["ExternalIdentityPage"];
                };
            };
        };
    };
    unlinkIdentityOfUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                identity_id: string;
                user_id: string;
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
    listSessionsOfUser: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                user_id: string;
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
                    "application/json": components["schemas"]["SessionPage"];
                };
            };
        };
    };
    endSessionsOfUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
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
    endSessionOfUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
                user_id: string;
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
    confirmSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmSession"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Confirmed"];
                };
            };
        };
    };
    sendEmailCode: {
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
                    "application/json": components["schemas"]["EmailCodeSent"];
                };
            };
        };
    };
    confirmEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmEmail"];
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
    findInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FindInvitation"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FoundInvitation"];
                };
            };
        };
    };
    getOwnProfile: {
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
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    changeOwnProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeOwnProfile"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePassword"];
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
    register: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Register"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountWaiting"];
                };
            };
        };
    };
    listSessions: {
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
                    "application/json": components["schemas"]["SessionPage"];
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
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
    listTokens: {
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
                    "application/json": components["schemas"]["TokenPage"];
                };
            };
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateToken"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedToken"];
                };
            };
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token_id: string;
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
    changeUsername: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeUsername"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    listConsolePanels: {
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
                    "application/json": components["schemas"]["ConsolePanelPage"];
                };
            };
        };
    };
    getConsolePanelFrame: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                panel_id: string;
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
    exportOwnAccount: {
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
                    "application/zip": string;
                };
            };
        };
    };
}
