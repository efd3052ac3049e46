/** Generated from the OpenAPI document: node kernel/scripts/console-api.mjs --write */
export interface paths {
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
    "/api/admin/vaults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSystemVaults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/vaults/{vault_id}/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["changeSystemVaultAccess"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/vaults/{vault_id}/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["syncSystemVault"];
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
    "/api/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPersonalCredentials"];
        put?: never;
        post: operations["createPersonalCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/credentials/{credential_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPersonalCredential"];
        put?: never;
        post?: never;
        delete: operations["deletePersonalCredential"];
        options?: never;
        head?: never;
        patch: operations["changePersonalCredential"];
        trace?: never;
    };
    "/api/credentials/{credential_id}/fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["replacePersonalCredentialFields"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/credentials/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["returnFromCredentialSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/credentials/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listCredentialGrants"];
        put?: never;
        post: operations["createCredentialGrant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/credentials/grants/{grant_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteCredentialGrant"];
        options?: never;
        head?: never;
        patch: operations["changeCredentialGrant"];
        trace?: never;
    };
    "/api/credentials/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listCredentialLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vaults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listVaults"];
        put?: never;
        post: operations["createVault"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vaults/{vault_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getVault"];
        put?: never;
        post?: never;
        delete: operations["deleteVault"];
        options?: never;
        head?: never;
        patch: operations["changeVault"];
        trace?: never;
    };
    "/api/vaults/{vault_id}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listVaultItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vaults/{vault_id}/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["syncVault"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vaults/{vault_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testVault"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vaults/connectors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listVaultConnectors"];
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
        AgentDeletedEvent: {
            data: components["schemas"]["AgentDeletedEventData"];
            event: "agent.deleted";
            id: string;
        };
        AgentDeletedEventData: {
            agent_id: string;
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
        ChangeCredentialGrant: {
            bindings?: components["schemas"]["CredentialBinding"][];
            expires_in_secs?: number | null;
            once?: boolean;
        };
        ChangePersonalCredential: {
            bindings?: components["schemas"]["CredentialBinding"][];
            title?: string;
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
        ChangeVault: {
            members?: {
                [key: string]: unknown;
            };
            title?: string;
        };
        CreateCredentialGrant: {
            agent_id: string;
            bindings?: components["schemas"]["CredentialBinding"][];
            expires_in_secs?: number | null;
            name?: string;
            once?: boolean;
            source: components["schemas"]["LocalCredentialSource"] | components["schemas"]["VaultItemSource"];
        };
        CreatePersonalCredential: {
            fields: components["schemas"]["NewCredentialField"][];
            name: string;
            title: string;
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
        CreateVault: {
            connector: string;
            members: {
                [key: string]: unknown;
            };
            title: string;
        };
        CredentialBinding: {
            as?: "value" | "file";
            field: string;
            variable: string | null;
        };
        CredentialGrant: {
            agent: string | null;
            agent_id: string;
            created_at: string;
            created_by: "person" | "answer";
            expires_at: string | null;
            fields: components["schemas"]["CredentialGrantField"][];
            id: string;
            name: string;
            once: boolean;
            source: components["schemas"]["LocalCredentialSource"] | components["schemas"]["VaultItemSource"];
            title: string;
            used_at: string | null;
            uses: number;
        };
        CredentialGrantField: {
            as: "value" | "file";
            name: string;
            secret: boolean;
            variable: string | null;
        };
        CredentialGrantPage: {
            items: components["schemas"]["CredentialGrant"][];
            next_cursor: string | null;
        };
        CredentialLogEntry: {
            agent_id: string | null;
            at: string;
            call_id: string | null;
            chat_id: string | null;
            code: string | null;
            id: string;
            kind: "opened" | "granted" | "changed" | "revoked" | "ended" | "requested" | "vault_tested" | "vault_failed";
            name: string | null;
            outcome: "ok" | "refused" | "failed";
            run_id: string | null;
            target: string | null;
            title: string | null;
            use: "process" | "page" | null;
            vault_id: string | null;
        };
        CredentialLogEntryPage: {
            items: components["schemas"]["CredentialLogEntry"][];
            next_cursor: string | null;
        };
        CredentialUpdatedEvent: {
            data: components["schemas"]["CredentialUpdatedEventData"];
            event: "credential.updated";
            id: string;
        };
        CredentialUpdatedEventData: {
            agent_id?: string;
            change: "created" | "changed" | "deleted" | "granted" | "grant_changed" | "revoked" | "used";
            credential_id?: string;
            grant_id?: string;
        };
        Event: components["schemas"]["AgentDeletedEvent"] | components["schemas"]["ApprovalRequestedEvent"] | components["schemas"]["ApprovalResolvedEvent"] | components["schemas"]["CredentialUpdatedEvent"] | components["schemas"]["VaultUpdatedEvent"];
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
        LocalCredentialSource: {
            credential_id: string;
            kind: "local";
        };
        NewCredentialField: {
            as?: "value" | "file";
            name: string;
            secret?: boolean;
            value: string;
            variable?: string | null;
        };
        PersonalCredential: {
            changed_at: string;
            created_at: string;
            fields: components["schemas"]["PersonalCredentialField"][];
            id: string;
            name: string;
            title: string;
            values_changed_at: string;
        };
        PersonalCredentialField: {
            as: "value" | "file";
            name: string;
            secret: boolean;
            value: string | null;
            variable: string | null;
        };
        PersonalCredentialPage: {
            items: components["schemas"]["PersonalCredential"][];
            next_cursor: string | null;
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
        ReplacePersonalCredentialFields: {
            fields: components["schemas"]["NewCredentialField"][];
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
        SystemVault: {
            access: components["schemas"]["VaultAccess"];
            account: string | null;
            changed_at: string;
            connector: string;
            created_at: string;
            expires_at: string | null;
            failure: components["schemas"]["VaultFailure"] | null;
            id: string;
            items: number;
            items_complete: boolean;
            members: {
                [key: string]: unknown;
            };
            next_sync_at: string;
            reason: string | null;
            state: "new" | "ready" | "failed" | "unavailable";
            synced_at: string | null;
            system: boolean;
            title: string;
        };
        SystemVaultPage: {
            items: components["schemas"]["SystemVault"][];
            next_cursor: string | null;
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
        Vault: {
            account: string | null;
            changed_at: string;
            connector: string;
            created_at: string;
            expires_at: string | null;
            failure: components["schemas"]["VaultFailure"] | null;
            id: string;
            items: number;
            items_complete: boolean;
            members: {
                [key: string]: unknown;
            };
            next_sync_at: string;
            reason: string | null;
            state: "new" | "ready" | "failed" | "unavailable";
            synced_at: string | null;
            system: boolean;
            title: string;
        };
        VaultAccess: {
            kind: "admins" | "everyone" | "users";
            user_ids?: string[];
        };
        VaultConnector: {
            connection: {
                [key: string]: unknown;
            };
            file: string | null;
            id: string;
            title: string;
        };
        VaultConnectorPage: {
            items: components["schemas"]["VaultConnector"][];
            next_cursor: string | null;
        };
        VaultFailure: {
            at: string;
            code: string;
            message: string;
        };
        VaultItem: {
            changed_at: string | null;
            fields: string[];
            group: string | null;
            id: string;
            title: string;
        };
        VaultItemPage: {
            items: components["schemas"]["VaultItem"][];
            next_cursor: string | null;
        };
        VaultItemSource: {
            item_id: string;
            kind: "vault";
            vault_id: string;
        };
        VaultPage: {
            items: components["schemas"]["Vault"][];
            next_cursor: string | null;
        };
        VaultUpdatedEvent: {
            data: components["schemas"]["VaultUpdatedEventData"];
            event: "vault.updated";
            id: string;
        };
        VaultUpdatedEventData: {
            change: "created" | "changed" | "deleted" | "synced" | "failed";
            vault_id: string;
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
    listSystemVaults: {
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
                    "application/json": components["schemas"]["SystemVaultPage"];
                };
            };
        };
    };
    changeSystemVaultAccess: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                vault_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VaultAccess"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SystemVault"];
                };
            };
        };
    };
    syncSystemVault: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                vault_id: string;
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
                    "application/json": components["schemas"]["SystemVault"];
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
    listPersonalCredentials: {
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
                    "application/json": components["schemas"]["PersonalCredentialPage"];
                };
            };
        };
    };
    createPersonalCredential: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePersonalCredential"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonalCredential"];
                };
            };
        };
    };
    getPersonalCredential: {
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
                    "application/json": components["schemas"]["PersonalCredential"];
                };
            };
        };
    };
    deletePersonalCredential: {
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
    changePersonalCredential: {
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
                "application/json": components["schemas"]["ChangePersonalCredential"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonalCredential"];
                };
            };
        };
    };
    replacePersonalCredentialFields: {
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
                "application/json": components["schemas"]["ReplacePersonalCredentialFields"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonalCredential"];
                };
            };
        };
    };
    returnFromCredentialSignIn: {
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
    listCredentialGrants: {
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
                    "application/json": components["schemas"]["CredentialGrantPage"];
                };
            };
        };
    };
    createCredentialGrant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCredentialGrant"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialGrant"];
                };
            };
        };
    };
    deleteCredentialGrant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                grant_id: string;
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
    changeCredentialGrant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                grant_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeCredentialGrant"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialGrant"];
                };
            };
        };
    };
    listCredentialLog: {
        parameters: {
            query?: {
                agent_id?: string;
                cursor?: string;
                limit?: number;
                name?: string;
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
                    "application/json": components["schemas"]["CredentialLogEntryPage"];
                };
            };
        };
    };
    listVaults: {
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
                    "application/json": components["schemas"]["VaultPage"];
                };
            };
        };
    };
    createVault: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateVault"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Vault"];
                };
            };
        };
    };
    getVault: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                vault_id: string;
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
                    "application/json": components["schemas"]["Vault"];
                };
            };
        };
    };
    deleteVault: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                vault_id: string;
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
    changeVault: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                vault_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeVault"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Vault"];
                };
            };
        };
    };
    listVaultItems: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                q?: string;
            };
            header?: never;
            path: {
                vault_id: string;
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
                    "application/json": components["schemas"]["VaultItemPage"];
                };
            };
        };
    };
    syncVault: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                vault_id: string;
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
                    "application/json": components["schemas"]["Vault"];
                };
            };
        };
    };
    testVault: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                vault_id: string;
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
                    "application/json": components["schemas"]["Vault"];
                };
            };
        };
    };
    listVaultConnectors: {
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
                    "application/json": components["schemas"]["VaultConnectorPage"];
                };
            };
        };
    };
}
