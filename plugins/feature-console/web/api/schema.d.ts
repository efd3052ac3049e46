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
    "/api/admin/browser": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getBrowserUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/browser/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testBrowser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/budgets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listBudgets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/budgets/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["setBudget"];
        post?: never;
        delete: operations["removeBudget"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
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
    "/api/admin/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listProviderConnections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/connections/adapters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listProviderAdapters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/connections/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["listModelsOfConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/connections/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testConnection"];
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
    "/api/admin/model-groups/{group}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testModelGroup"];
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
    "/api/admin/prompts/{prompt_id}/shared": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["sharePrompt"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/restart": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getRestart"];
        put?: never;
        post: operations["restart"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sandbox/processes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listProcessesOfAllUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sandbox/processes/{process_id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["stopProcessOfAnyUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/search/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testSearch"];
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
    "/api/admin/skills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createSharedSkill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/skills/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteSharedSkill"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/skills/{name}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["checkSharedSkillAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/skills/{name}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["putSharedSkillFile"];
        post?: never;
        delete: operations["deleteSharedSkillFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/skills/{name}/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["updateSharedSkill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/skills/install": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["installSharedSkill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/skills/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["uploadSharedSkill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUsageOfAll"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
    "/api/auth/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAuthConfiguration"];
        put?: never;
        post?: never;
        delete?: never;
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
    "/api/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["logout"];
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
    "/api/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["refresh"];
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
    "/api/browser": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getBrowser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/browser/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["forgetBrowserProfile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/browser/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["closeBrowserSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/browser/sessions/{id}/screenshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getBrowserScreenshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/catalogue/brands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listCatalogueBrands"];
        put?: never;
        post?: never;
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
    "/api/console/diagrams/frame": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getConsoleDiagramFrame"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/console/pages/frame": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getConsolePageFrame"];
        put?: never;
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
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events/types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listEventTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files/bin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listBin"];
        put?: never;
        post: operations["binFile"];
        delete: operations["emptyBin"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files/bin/{entry_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteBinnedFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files/bin/{entry_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["restoreBinnedFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files/checksum": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getFileChecksum"];
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
    "/api/files/copy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["copyFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files/folders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createFolder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["moveFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files/presign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["presignFile"];
        delete: operations["revokePresignedUrls"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files/presign/{presign_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokePresignedUrl"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["searchFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listUploads"];
        put?: never;
        post: operations["createUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files/uploads/{upload_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUpload"];
        put?: never;
        post?: never;
        delete: operations["deleteUpload"];
        options?: never;
        head?: never;
        patch: operations["appendToUpload"];
        trace?: never;
    };
    "/api/files/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getFileUsage"];
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
    "/api/prompts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPrompts"];
        put?: never;
        post: operations["createPrompt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/prompts/{prompt_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPrompt"];
        put?: never;
        post?: never;
        delete: operations["deletePrompt"];
        options?: never;
        head?: never;
        patch: operations["updatePrompt"];
        trace?: never;
    };
    "/api/prompts/{prompt_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["restorePrompt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/prompts/{prompt_id}/use": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["usePrompt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/prompts/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["importPrompts"];
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
    "/api/schedules/next-times": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getNextTimes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSearchState"];
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
    "/api/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTasks"];
        put?: never;
        post: operations["createTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTask"];
        put?: never;
        post?: never;
        delete: operations["deleteTask"];
        options?: never;
        head?: never;
        patch: operations["updateTask"];
        trace?: never;
    };
    "/api/tasks/{task_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["cancelTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/executions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTaskExecutions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/executions/{execution_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTaskExecution"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/executions/{execution_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["cancelTaskExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/executions/{execution_id}/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTaskExecutionLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["pauseTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resumeTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["runTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/tree": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTaskTree"];
        put?: never;
        post?: never;
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
    "/api/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage/budget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getOwnBudget"];
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
    "/api/usage/chats/{chat_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUsageOfChat"];
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
        AddChannelSender: {
            name?: string;
            role?: "owner" | "guest";
            sender_id: string;
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
        AlwaysCheck: {
            kind: "always";
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
        ApproveChannelPairing: {
            role?: "owner" | "guest";
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
        AuthConfiguration: {
            allow_registration: boolean;
            demo: boolean;
            local_auth: boolean;
            needs_account: boolean;
            needs_setup: boolean;
            registration: "open" | "approval" | "closed";
            signed_in: boolean;
            sso: components["schemas"]["SingleSignOn"];
        };
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
        BeginAccountSignIn: {
            brand: string;
            credential_id?: string;
            label?: string;
        };
        BegunBackup: {
            id: string;
        };
        BinFile: {
            path: string;
        };
        BinnedFile: {
            deleted_at: string;
            id: string;
            kind: "file" | "folder" | "link" | "other";
            path: string;
            size: number;
        };
        BinnedFilePage: {
            items: components["schemas"]["BinnedFile"][];
            next_cursor: string | null;
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
        BrowserManagement: {
            accepts: boolean | null;
            queued: number | null;
            running: number | null;
        };
        BrowserSession: {
            agent_handle: string;
            agent_id: string;
            chat_id: string;
            id: string;
            last_used_at: string;
            opened_at: string;
            screenshot_url: string;
            tabs: number;
            title: string;
            url: string;
        };
        BrowserState: {
            available: boolean;
            profiles: number;
            reason: string | null;
            sessions: components["schemas"]["BrowserSession"][];
        };
        BrowserTest: {
            kind: string | null;
            management: components["schemas"]["BrowserManagement"];
            ok: boolean;
            product: string | null;
            text: string;
            warnings: string[];
        };
        BrowserUsage: {
            available: boolean;
            reason: string | null;
            sessions: number;
            users: components["schemas"]["BrowserUserSessions"][];
        };
        BrowserUserSessions: {
            sessions: number;
            user_id: string;
        };
        Budget: {
            limit_tokens: number | null;
            limit_usd: number | null;
            period: "day" | "month";
            updated_at: string;
            user_id: string;
        };
        BudgetPage: {
            items: components["schemas"]["Budget"][];
            next_cursor: string | null;
        };
        BudgetState: {
            ends_at: string;
            limit_tokens: number | null;
            limit_usd: number | null;
            period: "day" | "month";
            used_tokens: number;
            used_usd: number;
        };
        CancelledBackup: {
            cancelled: boolean;
        };
        CatalogueBrand: {
            adapter?: string;
            authentication: string[];
            base_url?: string;
            base_url_pattern?: string;
            default_model?: string;
            documentation?: string;
            enabled: boolean;
            id: string;
            key_variables: string[];
            kind: "built_in" | "compatible";
            name: string;
            protocols: string[];
            reason?: string;
            requires_base_url: boolean;
            sign_in?: "device" | "browser";
        };
        CatalogueBrandPage: {
            items: components["schemas"]["CatalogueBrand"][];
            next_cursor: string | null;
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
        ChangeCredentialGrant: {
            bindings?: components["schemas"]["CredentialBinding"][];
            expires_in_secs?: number | null;
            once?: boolean;
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
        ChangePersonalCredential: {
            bindings?: components["schemas"]["CredentialBinding"][];
            title?: string;
        };
        ChangeSetUpProgress: {
            agent?: "open" | "done" | "skipped";
            connection?: string | null;
            memory?: "open" | "done" | "skipped";
            models?: "open" | "done" | "skipped";
            provider?: "open" | "done" | "skipped";
            registration?: "open" | "done" | "skipped";
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
        ChangeVault: {
            members?: {
                [key: string]: unknown;
            };
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
        ChatUsage: {
            models: components["schemas"]["ChatUsageSum"][];
        };
        ChatUsageSum: {
            cached_input_tokens: number;
            calls: number;
            cost_usd: number;
            failed_calls: number;
            input_tokens: number;
            model: string;
            output_tokens: number;
            provider: string;
            reasoning_tokens: number;
            unpriced_calls: number;
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
        CompareWith: {
            model: string;
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
        ConnectionTest: {
            checked_at: string;
            failure: "authentication" | "quota_exceeded" | "rate_limited" | "overloaded" | "transport" | "timeout" | "truncated" | "context_overflow" | "bad_request" | "model_not_found" | "content_filtered" | "invalid_response" | "wrong_address" | "no_models" | "key_missing" | "unusable" | "internal" | null;
            message: string | null;
            model: string | null;
            ok: boolean;
            took_ms: number;
            tools: boolean | null;
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
            module: string;
            styles: string[];
        };
        ConsolePanelText: {
            [key: string]: string;
        };
        CopyFile: {
            from: string;
            to: string;
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
        CreateChat: {
            agent_id?: string;
            hidden?: boolean;
            model?: string;
            space_id?: string;
            temporary?: boolean;
            title?: string;
        };
        CreateCredential: {
            api_key: string;
            brand: string;
            label: string;
        };
        CreateCredentialGrant: {
            agent_id: string;
            bindings?: components["schemas"]["CredentialBinding"][];
            expires_in_secs?: number | null;
            name?: string;
            once?: boolean;
            source: components["schemas"]["LocalCredentialSource"] | components["schemas"]["VaultItemSource"];
        };
        CreatedMessage: {
            compared_run?: components["schemas"]["Run"];
            message: components["schemas"]["Message"];
            run: components["schemas"]["Run"];
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
        CreateFolder: {
            path: string;
        };
        CreateInvitation: {
            email?: string | null;
            expires_in_hours?: number;
            max_uses?: number;
            name?: string | null;
            role?: "admin" | "user";
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
        CreatePersonalCredential: {
            fields: components["schemas"]["NewCredentialField"][];
            name: string;
            title: string;
        };
        CreatePrompt: {
            command: string;
            text: string;
            title: string;
        };
        CreateShare: {
            chat_id?: string;
            expires_in_secs?: number;
            path?: string;
        };
        CreateSharedSkill: {
            description: string;
            name: string;
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
        CreateTask: {
            agent?: string;
            check?: components["schemas"]["AlwaysCheck"] | components["schemas"]["FileCheck"] | components["schemas"]["TasksCheck"];
            due_at?: string | null;
            instruction: string;
            kind?: "task" | "reminder" | "heartbeat";
            max_retries?: number;
            max_runs?: number;
            max_seconds?: number;
            max_tokens?: number;
            missed?: "once" | "skip" | "all";
            model_group?: string | null;
            notify?: "always" | "failures" | "never";
            result?: components["schemas"]["NewTaskResultForm"] | null;
            retry_delay_secs?: number;
            schedule?: components["schemas"]["NewTaskSchedule"] | null;
            spread_secs?: number;
            title?: string;
            tool_failures?: "fail" | "allow";
            tools?: string[] | null;
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
        CreateVault: {
            connector: string;
            members: {
                [key: string]: unknown;
            };
            title: string;
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
        CredentialBinding: {
            as?: "value" | "file";
            field: string;
            variable: string | null;
        };
        CredentialCheck: {
            checked_at: string;
            message: string;
            ok: boolean;
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
        CredentialPage: {
            items: components["schemas"]["Credential"][];
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
        DatabaseState: {
            driver: string;
            reason: string | null;
            writable: boolean;
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
        DiskFigures: {
            free_bytes: number;
            path: string;
            total_bytes: number;
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
        EmailCodeSent: {
            to: string;
        };
        Event: components["schemas"]["ResetEvent"] | components["schemas"]["AgentDeletedEvent"] | components["schemas"]["ApprovalRequestedEvent"] | components["schemas"]["ApprovalResolvedEvent"] | components["schemas"]["BackupProgressDeltaEvent"] | components["schemas"]["BackupUpdatedEvent"] | components["schemas"]["ChannelUpdatedEvent"] | components["schemas"]["ChatCreatedEvent"] | components["schemas"]["ChatDeletedEvent"] | components["schemas"]["ChatUpdatedEvent"] | components["schemas"]["ChatImportUpdatedEvent"] | components["schemas"]["ConsolePanelsChangedEvent"] | components["schemas"]["CredentialUpdatedEvent"] | components["schemas"]["MemoryUpdatedEvent"] | components["schemas"]["MessageCreatedEvent"] | components["schemas"]["MessageUpdatedEvent"] | components["schemas"]["NotificationCreatedEvent"] | components["schemas"]["NotificationUpdatedEvent"] | components["schemas"]["ReasoningDeltaEvent"] | components["schemas"]["RunCancelledEvent"] | components["schemas"]["RunCompletedEvent"] | components["schemas"]["RunFailedEvent"] | components["schemas"]["RunFallbackEvent"] | components["schemas"]["RunReducedEvent"] | components["schemas"]["RunRetryingEvent"] | components["schemas"]["RunStartedEvent"] | components["schemas"]["RunStoppingEvent"] | components["schemas"]["RunWaitingEvent"] | components["schemas"]["SandboxProcessEndedEvent"] | components["schemas"]["SandboxProcessStartedEvent"] | components["schemas"]["SkillUpdatedEvent"] | components["schemas"]["SpaceDeletedEvent"] | components["schemas"]["SpaceUpdatedEvent"] | components["schemas"]["TaskUpdatedEvent"] | components["schemas"]["TextDeltaEvent"] | components["schemas"]["ToolCallDeltaEvent"] | components["schemas"]["ToolCallFinishedEvent"] | components["schemas"]["ToolCallStartedEvent"] | components["schemas"]["UsageRecordedEvent"] | components["schemas"]["VaultUpdatedEvent"];
        EventData: components["schemas"]["ResetEventData"] | components["schemas"]["AgentDeletedEventData"] | components["schemas"]["ApprovalRequestedEventData"] | components["schemas"]["ApprovalResolvedEventData"] | components["schemas"]["BackupProgressDeltaEventData"] | components["schemas"]["BackupUpdatedEventData"] | components["schemas"]["ChannelUpdatedEventData"] | components["schemas"]["ChatCreatedEventData"] | components["schemas"]["ChatDeletedEventData"] | components["schemas"]["ChatUpdatedEventData"] | components["schemas"]["ChatImportUpdatedEventData"] | components["schemas"]["ConsolePanelsChangedEventData"] | components["schemas"]["CredentialUpdatedEventData"] | components["schemas"]["MemoryUpdatedEventData"] | components["schemas"]["MessageCreatedEventData"] | components["schemas"]["MessageUpdatedEventData"] | components["schemas"]["NotificationCreatedEventData"] | components["schemas"]["NotificationUpdatedEventData"] | components["schemas"]["ReasoningDeltaEventData"] | components["schemas"]["RunCancelledEventData"] | components["schemas"]["RunCompletedEventData"] | components["schemas"]["RunFailedEventData"] | components["schemas"]["RunFallbackEventData"] | components["schemas"]["RunReducedEventData"] | components["schemas"]["RunRetryingEventData"] | components["schemas"]["RunStartedEventData"] | components["schemas"]["RunStoppingEventData"] | components["schemas"]["RunWaitingEventData"] | components["schemas"]["SandboxProcessEndedEventData"] | components["schemas"]["SandboxProcessStartedEventData"] | components["schemas"]["SkillUpdatedEventData"] | components["schemas"]["SpaceDeletedEventData"] | components["schemas"]["SpaceUpdatedEventData"] | components["schemas"]["TaskUpdatedEventData"] | components["schemas"]["TextDeltaEventData"] | components["schemas"]["ToolCallDeltaEventData"] | components["schemas"]["ToolCallFinishedEventData"] | components["schemas"]["ToolCallStartedEventData"] | components["schemas"]["UsageRecordedEventData"] | components["schemas"]["VaultUpdatedEventData"];
        EventLoopFigures: {
            delay_ms: number;
            utilization: number;
        };
        EventType: {
            description: string;
            kind: "state" | "delta";
            name: string;
            plugin: string;
            schema: unknown;
        };
        EventTypes: {
            types: components["schemas"]["EventType"][];
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
        FileCheck: {
            kind: "file";
            path: string;
        };
        FileChecksum: {
            etag: string;
            path: string;
            sha256: string;
            size: number;
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
        FindInvitation: {
            invitation: string;
        };
        FoundInvitation: {
            email: string | null;
            expires_at: string;
            name: string | null;
        };
        GoodBackup: {
            bytes: number;
            created_at: string;
            id: string;
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
        HeldChannelMessage: {
            at: string;
            text: string;
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
        ImportPrompts: {
            existing?: "skip" | "replace";
            prompts: components["schemas"]["CreatePrompt"][];
        };
        InstallSharedSkill: {
            archive?: string;
            files?: components["schemas"]["PackedSkillFile"][];
            from?: string;
            replace?: boolean;
            url?: string;
        };
        InstallSkill: {
            agent_id?: string;
            archive?: string;
            files?: components["schemas"]["PackedSkillFile"][];
            from?: string;
            replace?: boolean;
            url?: string;
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
        ListedFile: {
            etag: string | null;
            kind: "file" | "folder" | "link" | "other";
            modified_at: string;
            name: string;
            path: string;
            size: number;
        };
        ListedFilePage: {
            items: components["schemas"]["ListedFile"][];
            next_cursor: string | null;
        };
        ListedPrompt: {
            command: string;
            created_at: string;
            excerpt: string;
            id: string;
            own: boolean;
            owner: string | null;
            shadowed: boolean;
            shared: "me" | "everyone";
            title: string;
            updated_at: string;
            used_at: string | null;
            version: number;
        };
        ListedPromptPage: {
            items: components["schemas"]["ListedPrompt"][];
            next_cursor: string | null;
        };
        ListModelsOfConnection: {
            adapter?: string;
            api_key?: string;
            aws_profile?: string;
            aws_region?: string;
            azure_api_version?: string;
            base_url?: string;
            credential_id?: string;
            handle?: string;
            provider?: string;
        };
        LocalCredentialSource: {
            credential_id: string;
            kind: "local";
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
        Login: {
            password: string;
            username: string;
        };
        MadeFile: {
            call_id: string;
            etag?: string;
            media_type?: string;
            name: string;
            path: string;
            size: number;
        };
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
        ModelGroupTest: {
            ok: boolean;
            targets: components["schemas"]["ModelTest"][];
        };
        ModelOffer: {
            failure: "authentication" | "quota_exceeded" | "rate_limited" | "overloaded" | "transport" | "timeout" | "truncated" | "context_overflow" | "bad_request" | "model_not_found" | "content_filtered" | "invalid_response" | "wrong_address" | "no_models" | "key_missing" | "unusable" | "internal" | null;
            message: string | null;
            models: components["schemas"]["OfferedModel"][];
            ok: boolean;
            source: "provider" | "catalogue" | null;
        };
        ModelTest: {
            failure: "authentication" | "quota_exceeded" | "rate_limited" | "overloaded" | "transport" | "timeout" | "truncated" | "context_overflow" | "bad_request" | "model_not_found" | "content_filtered" | "invalid_response" | "wrong_address" | "no_models" | "key_missing" | "unusable" | "internal" | null;
            fallback: number;
            message: string | null;
            model: string;
            ok: boolean;
            provider: string;
            took_ms: number;
            tools: boolean | null;
        };
        ModelUsage: {
            cache_write_input_tokens?: number;
            cached_input_tokens: number;
            input_tokens: number;
            output_tokens: number;
            reasoning_tokens: number;
        };
        MoveFile: {
            from: string;
            to: string;
        };
        NewCredentialField: {
            as?: "value" | "file";
            name: string;
            secret?: boolean;
            value: string;
            variable?: string | null;
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
        NewNotificationDevice: {
            endpoint: string;
            keys: components["schemas"]["NotificationDeviceKeys"];
            language: string;
            name: string;
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
        NewTaskResultForm: {
            name: string;
            schema: {
                [key: string]: unknown;
            };
        };
        NewTaskSchedule: {
            cron: string;
            timezone?: string | null;
        };
        NextTimes: {
            times: string[];
            timezone: string;
        };
        NotedFile: {
            path: string;
            reason: string;
            user: string | null;
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
        OfferedModel: {
            abilities: string[];
            answers: boolean | null;
            context_window: number | null;
            id: string;
            input: string[];
            max_output_tokens: number | null;
            name: string | null;
            price: components["schemas"]["Price"] | null;
            tools: boolean | null;
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
        OwnBudget: {
            budget: components["schemas"]["BudgetState"] | null;
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
        PackedSkillFile: {
            content: string;
            path: string;
        };
        Part: components["schemas"]["TextPart"] | components["schemas"]["ImagePart"] | components["schemas"]["FilePart"] | components["schemas"]["ReasoningPart"] | components["schemas"]["ToolCallPart"] | components["schemas"]["ToolResultPart"];
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
            state: "discovered" | "disabled" | "declared" | "invalid" | "blocked" | "starting" | "active" | "retrying" | "stopping" | "stopped" | "failed";
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
            state: "gone" | "unknown" | "discovered" | "disabled" | "declared" | "invalid" | "blocked" | "starting" | "active" | "retrying" | "stopping" | "stopped" | "failed";
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
        PresignedUrl: {
            expires_at: string;
            id: string;
            url: string;
        };
        PresignFile: {
            method?: "GET" | "HEAD";
            path: string;
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
        Prompt: {
            command: string;
            created_at: string;
            excerpt: string;
            id: string;
            own: boolean;
            owner: string | null;
            shadowed: boolean;
            shared: "me" | "everyone";
            text: string;
            title: string;
            updated_at: string;
            used_at: string | null;
            version: number;
        };
        PromptImportResult: {
            created: number;
            replaced: number;
            skipped: number;
        };
        PromptSection: {
            name: string;
            source: "shared" | "agent" | "left_out";
            text: string;
        };
        ProviderAdapter: {
            id: string;
            lists_models: boolean;
            name: string;
            protocols: string[];
            requires_base_url: boolean;
        };
        ProviderAdapterPage: {
            items: components["schemas"]["ProviderAdapter"][];
            next_cursor: string | null;
        };
        ProviderConnection: {
            adapter: string | null;
            base_url: string | null;
            brand: string;
            credential_id?: string;
            discovered: boolean;
            groups: string[];
            handle: string;
            key: "saved" | "variable" | "configured" | "none";
            name: string;
            reason?: string;
            state: "ready" | "disabled" | "key_missing" | "unusable";
            variable?: string;
        };
        ProviderConnectionPage: {
            items: components["schemas"]["ProviderConnection"][];
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
        ReadNotifications: {
            until?: string;
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
        ReplacePersonalCredentialFields: {
            fields: components["schemas"]["NewCredentialField"][];
        };
        ResetEvent: {
            data: components["schemas"]["ResetEventData"];
            event: "reset";
            id: string;
        };
        ResetEventData: {
            reason: "not_kept" | "too_slow";
        };
        Restarting: {
            status: "restarting" | "waiting";
            work: components["schemas"]["RestartWork"];
        };
        RestartState: {
            status: "none" | "waiting" | "restarting";
            work: components["schemas"]["RestartWork"];
        };
        RestartWork: {
            calls: number;
            ends: number;
            requests: number;
            resumes: number;
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
        RunningBackup: {
            id: string;
            kind: string;
            progress: components["schemas"]["BackupProgress"];
            started_at: string;
            trigger: string;
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
        SandboxProcessEndedEvent: {
            data: components["schemas"]["SandboxProcessEndedEventData"];
            event: "sandbox.process.ended";
            id: string;
        };
        SandboxProcessEndedEventData: {
            process: components["schemas"]["SandboxProcess"];
        };
        SandboxProcessPage: {
            items: components["schemas"]["SandboxProcess"][];
            next_cursor: string | null;
        };
        SandboxProcessStartedEvent: {
            data: components["schemas"]["SandboxProcessStartedEventData"];
            event: "sandbox.process.started";
            id: string;
        };
        SandboxProcessStartedEventData: {
            process: components["schemas"]["SandboxProcess"];
        };
        SandboxProcessUsage: {
            actor: components["schemas"]["SandboxActor"];
            background: boolean;
            id: string;
            kind: string;
            started_at: string;
            terminal: boolean;
            usage: components["schemas"]["SandboxUsage"] | null;
            user_id: string;
            username: string | null;
        };
        SandboxProcessUsagePage: {
            items: components["schemas"]["SandboxProcessUsage"][];
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
        SandboxUsage: {
            cpu_ms: number;
            memory_bytes: number;
            processes: number;
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
        SearchProviderState: {
            available: boolean;
            id: string;
            reason: string | null;
            title: string | null;
        };
        SearchResult: {
            published_at: string | null;
            snippet: string;
            title: string;
            url: string;
        };
        SearchState: {
            available: boolean;
            provider: string | null;
            providers: components["schemas"]["SearchProviderState"][];
            reason: string | null;
            title: string | null;
        };
        SearchTest: {
            code: string | null;
            error: string | null;
            ok: boolean;
            provider: string | null;
            results: components["schemas"]["SearchResult"][];
            title: string | null;
            took_ms: number;
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
        SetBudget: {
            limit_tokens?: number;
            limit_usd?: number;
            period: "day" | "month";
        };
        SetChatMemory: {
            remember: boolean;
        };
        SetUpProgress: {
            agent: "open" | "done" | "skipped";
            connection: string | null;
            memory: "open" | "done" | "skipped";
            models: "open" | "done" | "skipped";
            provider: "open" | "done" | "skipped";
            registration: "open" | "done" | "skipped";
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
        SharedAgent: {
            handle: string;
            update_available: boolean;
        };
        SharePage: {
            items: components["schemas"]["Share"][];
            next_cursor: string | null;
        };
        SharePrompt: {
            shared: "me" | "everyone";
        };
        ShownOutput: {
            offset: number;
            text: string;
        };
        SignedIn: {
            access_token: string;
            expires_in: number;
            token_type: "Bearer";
            user: components["schemas"]["User"];
        };
        SingleSignOn: {
            enabled: boolean;
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
        SkillUpdatedEvent: {
            data: components["schemas"]["SkillUpdatedEventData"];
            event: "skill.updated";
            id: string;
        };
        SkillUpdatedEventData: {
            agent_id?: string;
            change: "created" | "installed" | "edited" | "removed";
            name: string;
            source: "shared" | "user" | "agent";
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
        StorageUsage: {
            max_bytes: number | null;
            used_bytes: number;
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
        Task: {
            agent: components["schemas"]["TaskAgent"] | null;
            backlog: number;
            callers: string[];
            counts: {
                cancelled: number;
                completed: number;
                failed: number;
                missed: number;
            };
            created_at: string;
            created_by: "person" | "agent";
            due_at: string | null;
            ended_at: string | null;
            execution_id: string | null;
            guests: components["schemas"]["TaskGuests"] | null;
            heartbeat: components["schemas"]["TaskHeartbeat"] | null;
            id: string;
            instruction: string;
            kind: "task" | "reminder" | "heartbeat";
            last: components["schemas"]["TaskEnd"] | null;
            late: components["schemas"]["TaskLate"] | null;
            max_retries: number;
            max_seconds: number;
            missed: "once" | "skip" | "all";
            model_group: string | null;
            next_at: string | null;
            notify: "always" | "failures" | "never";
            parent: components["schemas"]["TaskParent"] | null;
            problem: components["schemas"]["TaskFailure"] | null;
            result: components["schemas"]["TaskResultForm"] | null;
            retry_delay_secs: number;
            schedule: components["schemas"]["TaskSchedule"] | null;
            spread_secs: number;
            status: "scheduled" | "queued" | "working" | "waiting" | "paused" | "completed" | "failed" | "cancelled";
            timezone: string | null;
            title: string;
            tool_failures: "fail" | "allow";
            tools: string[] | null;
            updated_at: string;
        };
        TaskAgent: {
            handle: string;
            id: string;
        };
        TaskAttempt: {
            chat_id: string | null;
            ended_at: string | null;
            failure: components["schemas"]["TaskFailure"] | null;
            number: number;
            run_id: string | null;
            started_at: string;
            usage: components["schemas"]["TaskUsage"] | null;
        };
        TaskBudgetUsed: {
            runs: number;
            tokens: number;
        };
        TaskDetails: {
            agent: components["schemas"]["TaskAgent"] | null;
            backlog: number;
            budget_used?: components["schemas"]["TaskBudgetUsed"];
            callers: string[];
            counts: {
                cancelled: number;
                completed: number;
                failed: number;
                missed: number;
            };
            created_at: string;
            created_by: "person" | "agent";
            due_at: string | null;
            ended_at: string | null;
            execution_id: string | null;
            guests: components["schemas"]["TaskGuests"] | null;
            heartbeat: components["schemas"]["TaskHeartbeat"] | null;
            id: string;
            instruction: string;
            kind: "task" | "reminder" | "heartbeat";
            last: components["schemas"]["TaskEnd"] | null;
            late: components["schemas"]["TaskLate"] | null;
            max_retries: number;
            max_seconds: number;
            missed: "once" | "skip" | "all";
            model_group: string | null;
            next_at: string | null;
            next_times: string[];
            notify: "always" | "failures" | "never";
            parent: components["schemas"]["TaskParent"] | null;
            problem: components["schemas"]["TaskFailure"] | null;
            result: components["schemas"]["TaskResultForm"] | null;
            retry_delay_secs: number;
            schedule: components["schemas"]["TaskSchedule"] | null;
            spread_secs: number;
            status: "scheduled" | "queued" | "working" | "waiting" | "paused" | "completed" | "failed" | "cancelled";
            timezone: string | null;
            title: string;
            tool_failures: "fail" | "allow";
            tools: string[] | null;
            updated_at: string;
        };
        TaskEnd: {
            at: string;
            execution_id: string;
            failure: components["schemas"]["TaskFailure"] | null;
            state: "queued" | "starting" | "running" | "waiting" | "completed" | "failed" | "cancelled";
        };
        TaskExecution: {
            answer: string | null;
            attempts: components["schemas"]["TaskAttempt"][];
            cost_usd: number | null;
            created_at: string;
            ended_at: string | null;
            failure: components["schemas"]["TaskFailure"] | null;
            id: string;
            not_before: string | null;
            parent_execution_id: string | null;
            represents: number;
            result: components["schemas"]["TaskResult"] | null;
            scheduled_for: string | null;
            started_at: string | null;
            state: "queued" | "starting" | "running" | "waiting" | "completed" | "failed" | "cancelled";
            task_id: string;
            transitions: components["schemas"]["TaskTransition"][];
            trigger: "now" | "due" | "schedule" | "agent";
            usage: components["schemas"]["TaskUsage"];
            waiting_for: string | null;
            warnings: string[];
        };
        TaskExecutionPage: {
            items: components["schemas"]["TaskExecution"][];
            next_cursor: string | null;
        };
        TaskExecutionState: {
            failure: components["schemas"]["TaskFailure"] | null;
            id: string;
            state: "queued" | "starting" | "running" | "waiting" | "completed" | "failed" | "cancelled";
            waiting_for: string | null;
        };
        TaskFailure: {
            code: string;
            message: string;
        };
        TaskGuests: {
            tools: string[];
        };
        TaskHeartbeat: {
            check: {
                kind: string;
                path?: string;
            };
            looked_at: string | null;
            max_runs: number;
            max_tokens: number;
            outcome: string | null;
        };
        TaskLate: {
            code: string;
            message: string;
            noticed_at: string;
            scheduled_for: string;
        };
        TaskLog: {
            entries: components["schemas"]["TaskLogEntry"][];
        };
        TaskLogEntry: {
            at: string;
            attempt?: number;
            kind: string;
            text: string;
        };
        TaskPage: {
            items: components["schemas"]["Task"][];
            next_cursor: string | null;
        };
        TaskParent: {
            call_id: string;
            depth: number;
            execution_id: string | null;
            run_id: string;
            task_id: string | null;
            waits: boolean;
        };
        TaskResult: {
            value: unknown;
        };
        TaskResultForm: {
            name: string;
            schema: {
                [key: string]: unknown;
            };
        };
        TasksCheck: {
            kind: "tasks";
        };
        TaskSchedule: {
            cron: string;
            timezone: string | null;
        };
        TaskTransition: {
            at: string;
            note: string;
            state: "queued" | "starting" | "running" | "waiting" | "completed" | "failed" | "cancelled";
        };
        TaskTree: {
            children: components["schemas"]["Task"][];
            task: components["schemas"]["Task"];
        };
        TaskUpdatedEvent: {
            data: components["schemas"]["TaskUpdatedEventData"];
            event: "task.updated";
            id: string;
        };
        TaskUpdatedEventData: {
            chat_id?: string;
            execution: components["schemas"]["TaskExecutionState"] | null;
            kind: "task" | "reminder" | "heartbeat";
            next_at: string | null;
            run_id?: string;
            status: ("scheduled" | "queued" | "working" | "waiting" | "paused" | "completed" | "failed" | "cancelled") | "deleted";
            task_id: string;
            title: string;
        };
        TaskUsage: {
            cached_input_tokens: number;
            input_tokens: number;
            output_tokens: number;
            reasoning_tokens: number;
        };
        TestChannelConnectionResult: {
            connection: components["schemas"]["ChannelConnection"];
            delivery: components["schemas"]["ChannelDelivery"] | null;
        };
        TestConnection: {
            adapter?: string;
            api?: string;
            api_key?: string;
            aws_profile?: string;
            aws_region?: string;
            azure_api_version?: string;
            base_url?: string;
            credential_id?: string;
            handle?: string;
            model?: string;
            provider?: string;
        };
        TestSearch: {
            query?: string;
        };
        TestSharedChannelConnectionResult: {
            connection: components["schemas"]["ChannelConnection"];
            delivery: components["schemas"]["ChannelDelivery"] | null;
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
        UnreadNotifications: {
            unread: number;
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
        UpdatePrompt: {
            command?: string;
            text?: string;
            title?: string;
        };
        UpdateSpace: {
            context?: string;
            description?: string;
            name?: string;
            summary?: null;
        };
        UpdateTask: {
            agent?: string;
            check?: components["schemas"]["AlwaysCheck"] | components["schemas"]["FileCheck"] | components["schemas"]["TasksCheck"];
            due_at?: string | null;
            instruction?: string;
            max_retries?: number;
            max_runs?: number;
            max_seconds?: number;
            max_tokens?: number;
            missed?: "once" | "skip" | "all";
            model_group?: string | null;
            notify?: "always" | "failures" | "never";
            result?: components["schemas"]["NewTaskResultForm"] | null;
            retry_delay_secs?: number;
            schedule?: components["schemas"]["NewTaskSchedule"] | null;
            spread_secs?: number;
            title?: string;
            tool_failures?: "fail" | "allow";
            tools?: string[] | null;
        };
        Upload: {
            expires_at: string;
            id: string;
            last_modified: string | null;
            offset: number;
            path: string;
            size: number;
        };
        UploadPage: {
            items: components["schemas"]["Upload"][];
            next_cursor: string | null;
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
        UsageSum: {
            agent_id?: string | null;
            cached_input_tokens: number;
            calls: number;
            cost_usd: number;
            day?: string;
            failed_calls: number;
            input_tokens: number;
            model?: string;
            output_tokens: number;
            provider?: string;
            purpose?: string | null;
            reasoning_tokens: number;
            unpriced_calls: number;
            user_id?: string;
        };
        UsageSumPage: {
            items: components["schemas"]["UsageSum"][];
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
        ValidateSkill: {
            archive?: string;
            files?: components["schemas"]["PackedSkillFile"][];
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
    getBrowserUsage: {
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
                    "application/json": components["schemas"]["BrowserUsage"];
                };
            };
        };
    };
    testBrowser: {
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
                    "application/json": components["schemas"]["BrowserTest"];
                };
            };
        };
    };
    listBudgets: {
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
                    "application/json": components["schemas"]["BudgetPage"];
                };
            };
        };
    };
    setBudget: {
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
                "application/json": components["schemas"]["SetBudget"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Budget"];
                };
            };
        };
    };
    removeBudget: {
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
    listProviderConnections: {
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
                    "application/json": components["schemas"]["ProviderConnectionPage"];
                };
            };
        };
    };
    listProviderAdapters: {
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
                    "application/json": components["schemas"]["ProviderAdapterPage"];
                };
            };
        };
    };
    listModelsOfConnection: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ListModelsOfConnection"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelOffer"];
                };
            };
        };
    };
    testConnection: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestConnection"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionTest"];
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
    testModelGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                group: string;
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
                    "application/json": components["schemas"]["ModelGroupTest"];
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
    sharePrompt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                prompt_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SharePrompt"];
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
    getRestart: {
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
                    "application/json": components["schemas"]["RestartState"];
                };
            };
        };
    };
    restart: {
        parameters: {
            query?: {
                when?: "quiet" | "now";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Restarting"];
                };
            };
        };
    };
    listProcessesOfAllUsers: {
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
                    "application/json": components["schemas"]["SandboxProcessUsagePage"];
                };
            };
        };
    };
    stopProcessOfAnyUser: {
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
                    "application/json": components["schemas"]["SandboxProcessUsage"];
                };
            };
        };
    };
    testSearch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestSearch"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchTest"];
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
    createSharedSkill: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSharedSkill"];
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
    deleteSharedSkill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
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
    checkSharedSkillAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
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
    putSharedSkillFile: {
        parameters: {
            query?: {
                path?: string;
            };
            header?: never;
            path: {
                name: string;
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
    deleteSharedSkillFile: {
        parameters: {
            query?: {
                path?: string;
            };
            header?: never;
            path: {
                name: string;
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
    updateSharedSkill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
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
    installSharedSkill: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InstallSharedSkill"];
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
    uploadSharedSkill: {
        parameters: {
            query?: {
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
    getUsageOfAll: {
        parameters: {
            query?: {
                agent_id?: string;
                cursor?: string;
                from?: string;
                group_by?: "day" | "model" | "agent" | "purpose" | "user";
                limit?: number;
                model?: string;
                to?: string;
                user_id?: string;
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
                    "application/json": components["schemas"]["UsageSumPage"];
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
    getAuthConfiguration: {
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
                    "application/json": components["schemas"]["AuthConfiguration"];
                };
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
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Login"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
        };
    };
    logout: {
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
    refresh: {
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
                    "application/json": components["schemas"]["SignedIn"];
                };
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
    getBrowser: {
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
                    "application/json": components["schemas"]["BrowserState"];
                };
            };
        };
    };
    forgetBrowserProfile: {
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
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    closeBrowserSession: {
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
    getBrowserScreenshot: {
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
                    "image/jpeg": string;
                };
            };
        };
    };
    listCatalogueBrands: {
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
                    "application/json": components["schemas"]["CatalogueBrandPage"];
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
    getConsoleDiagramFrame: {
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
                    "text/html": string;
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
    getConsolePageFrame: {
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
                    "text/html": string;
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
    streamEvents: {
        parameters: {
            query?: {
                after?: string;
                chat_id?: string;
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
                    "text/event-stream": components["schemas"]["EventData"];
                };
            };
        };
    };
    listEventTypes: {
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
                    "application/json": components["schemas"]["EventTypes"];
                };
            };
        };
    };
    listFiles: {
        parameters: {
            query: {
                cursor?: string;
                limit?: number;
                path: string;
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
                    "application/json": components["schemas"]["ListedFilePage"];
                };
            };
        };
    };
    listBin: {
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
                    "application/json": components["schemas"]["BinnedFilePage"];
                };
            };
        };
    };
    binFile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BinFile"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BinnedFile"];
                };
            };
        };
    };
    emptyBin: {
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
    deleteBinnedFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                entry_id: string;
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
    restoreBinnedFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                entry_id: string;
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
                    "application/json": components["schemas"]["ListedFile"];
                };
            };
        };
    };
    getFileChecksum: {
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
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileChecksum"];
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
    copyFile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CopyFile"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedFile"];
                };
            };
        };
    };
    createFolder: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateFolder"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedFile"];
                };
            };
        };
    };
    moveFile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MoveFile"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedFile"];
                };
            };
        };
    };
    presignFile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PresignFile"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PresignedUrl"];
                };
            };
        };
    };
    revokePresignedUrls: {
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
    revokePresignedUrl: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                presign_id: string;
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
    searchFiles: {
        parameters: {
            query: {
                cursor?: string;
                limit?: number;
                name: string;
                path?: string;
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
                    "application/json": components["schemas"]["ListedFilePage"];
                };
            };
        };
    };
    listUploads: {
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
                    "application/json": components["schemas"]["UploadPage"];
                };
            };
        };
    };
    createUpload: {
        parameters: {
            query?: never;
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
                    "application/json": components["schemas"]["Upload"];
                };
            };
        };
    };
    getUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                upload_id: string;
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
                    "application/json": components["schemas"]["Upload"];
                };
            };
        };
    };
    deleteUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                upload_id: string;
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
    appendToUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "*/*": unknown;
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
    getFileUsage: {
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
                    "application/json": components["schemas"]["StorageUsage"];
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
    listPrompts: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                order?: "command" | "used";
                search?: string;
                whose?: "all" | "own" | "shared";
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
                    "application/json": components["schemas"]["ListedPromptPage"];
                };
            };
        };
    };
    createPrompt: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePrompt"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Prompt"];
                };
            };
        };
    };
    getPrompt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                prompt_id: string;
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
                    "application/json": components["schemas"]["Prompt"];
                };
            };
        };
    };
    deletePrompt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                prompt_id: string;
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
    updatePrompt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                prompt_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdatePrompt"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Prompt"];
                };
            };
        };
    };
    restorePrompt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                prompt_id: string;
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
                    "application/json": components["schemas"]["Prompt"];
                };
            };
        };
    };
    usePrompt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                prompt_id: string;
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
    importPrompts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportPrompts"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PromptImportResult"];
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
    getNextTimes: {
        parameters: {
            query: {
                count?: number;
                cron: string;
                timezone?: string;
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
                    "application/json": components["schemas"]["NextTimes"];
                };
            };
        };
    };
    getSearchState: {
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
                    "application/json": components["schemas"]["SearchState"];
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
    listTasks: {
        parameters: {
            query?: {
                agent_id?: string;
                cursor?: string;
                kind?: "task" | "reminder" | "heartbeat";
                limit?: number;
                repeats?: boolean;
                status?: "scheduled" | "queued" | "working" | "waiting" | "paused" | "completed" | "failed" | "cancelled";
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
                    "application/json": components["schemas"]["TaskPage"];
                };
            };
        };
    };
    createTask: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTask"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskDetails"];
                };
            };
        };
    };
    getTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                task_id: string;
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
                    "application/json": components["schemas"]["TaskDetails"];
                };
            };
        };
    };
    deleteTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                task_id: string;
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
    updateTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateTask"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskDetails"];
                };
            };
        };
    };
    cancelTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskDetails"];
                };
            };
        };
    };
    listTaskExecutions: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                task_id: string;
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
                    "application/json": components["schemas"]["TaskExecutionPage"];
                };
            };
        };
    };
    getTaskExecution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                execution_id: string;
                task_id: string;
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
                    "application/json": components["schemas"]["TaskExecution"];
                };
            };
        };
    };
    cancelTaskExecution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                execution_id: string;
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskExecution"];
                };
            };
        };
    };
    getTaskExecutionLog: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                execution_id: string;
                task_id: string;
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
                    "application/json": components["schemas"]["TaskLog"];
                };
            };
        };
    };
    pauseTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                task_id: string;
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
                    "application/json": components["schemas"]["TaskDetails"];
                };
            };
        };
    };
    resumeTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                task_id: string;
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
                    "application/json": components["schemas"]["TaskDetails"];
                };
            };
        };
    };
    runTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskDetails"];
                };
            };
        };
    };
    getTaskTree: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                task_id: string;
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
                    "application/json": components["schemas"]["TaskTree"];
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
    getUsage: {
        parameters: {
            query?: {
                agent_id?: string;
                cursor?: string;
                from?: string;
                group_by?: "day" | "model" | "agent" | "purpose";
                limit?: number;
                model?: string;
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
                    "application/json": components["schemas"]["UsageSumPage"];
                };
            };
        };
    };
    getOwnBudget: {
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
                    "application/json": components["schemas"]["OwnBudget"];
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
    getUsageOfChat: {
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
                    "application/json": components["schemas"]["ChatUsage"];
                };
            };
        };
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
