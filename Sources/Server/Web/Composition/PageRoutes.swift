import FeedCore
import FeedStore

/// The routes of the pages.
extension Services {
    func addPages(to endpoints: Endpoints) {
        let limit = limits.caches[.pictures]
        AvatarController(
            accounts: stores.accounts, blobs: blobs, pictures: PictureCache(limit: limit / 4 * 3),
            owners: ChangeLogCache(log: log, limit: limit / 4, name: "picture_owners"), version: site.version
        ).addEndpoints(to: endpoints)
        WellKnownController(catalog: wellKnown).addEndpoints(to: endpoints)
        AssetController(assets: site.assets, settings: settings).addEndpoints(to: endpoints)
        let pages = PageController(
            timelines: stores.timelines, accounts: stores.accounts, timelineSources: timelineSources, filters: filters,
            cache: html, assets: site.assets, baseURL: site.baseURL, emoji: emoji, settings: settings)
        TimelinePageController(pages: pages, tags: stores.tags, lists: stores.lists, tagFollows: stores.tagFollows)
            .addEndpoints(to: endpoints)
        ProfilePageController(pages: pages, relationships: stores.relationships).addEndpoints(to: endpoints)
        StatusPageController(pages: pages, statuses: stores.statuses).addEndpoints(to: endpoints)
        SearchPageController(pages: pages, finder: finder, tags: stores.tags).addEndpoints(to: endpoints)
        AboutPageController(pages: pages, suggestions: stores.suggestions).addEndpoints(to: endpoints)
        StatusActionPageController(
            statuses: stores.statuses, boosts: stores.boosts, polls: stores.polls,
            page: DeletionPage(assets: site.assets, baseURL: site.baseURL, emoji: emoji), errors: errors,
            settings: settings
        ).addEndpoints(to: endpoints)
        FeedController(
            statuses: stores.statuses, timelines: stores.timelines, accounts: stores.accounts, tags: stores.tags,
            cache: html,
            ids: FeedIdentifier(namespace: site.feedID), baseURL: site.baseURL, emoji: emoji, settings: settings,
            clock: clock
        ).addEndpoints(to: endpoints)
    }

    /// The operator's pages.
    func addAdministration(to endpoints: Endpoints) {
        let pages = AdministrationPage(pages: memberPages)
        AdministrationPageController(
            registrations: stores.registrations, reports: stores.reports, monitoring: monitoring, pages: pages
        ).addEndpoints(to: endpoints)
        RegistrationAdministrationPageController(registrations: stores.registrations, pages: pages).addEndpoints(
            to: endpoints)
        InvitationAdministrationPageController(invitations: stores.invitations, clock: clock, pages: pages)
            .addEndpoints(to: endpoints)
        AccountAdministrationPageController(
            moderation: stores.moderation, registrations: stores.registrations, resets: login.passwordResets,
            pages: pages
        ).addEndpoints(to: endpoints)
        ReportAdministrationPageController(
            reports: stores.reports, moderation: stores.moderation, statuses: stores.statuses, pages: pages
        ).addEndpoints(to: endpoints)
    }

    /// Profiles: who follows whom, and what members do about somebody else.
    func addProfiles(to endpoints: Endpoints) {
        FollowersPageController(accounts: stores.accounts, follows: stores.follows, pages: memberPages)
            .addEndpoints(to: endpoints)
        ProfileActionPageController(
            accounts: stores.accounts, follows: stores.follows, mutes: stores.mutes, blocks: stores.blocks,
            errors: errors, settings: settings, clock: clock
        ).addEndpoints(to: endpoints)
        ReportPageController(
            accounts: stores.accounts, statuses: stores.statuses, reports: stores.reports, pages: memberPages
        ).addEndpoints(to: endpoints)
        AccountNotePageController(
            accounts: stores.accounts, relationships: stores.relationships, notes: stores.notes, pages: memberPages
        ).addEndpoints(to: endpoints)
    }

    /// The pages of what members keep and read: notifications, conversations, lists, hashtags and follow requests.
    func addMemberPages(to endpoints: Endpoints) {
        NotificationsPageController(
            notifications: stores.notifications, markers: stores.markers, filters: filters, pages: memberPages
        ).addEndpoints(to: endpoints)
        ConversationsPageController(conversations: stores.conversations, pages: memberPages)
            .addEndpoints(to: endpoints)
        FollowRequestsPageController(follows: stores.follows, pages: memberPages).addEndpoints(to: endpoints)
        ListsPageController(lists: stores.lists, pages: memberPages).addEndpoints(to: endpoints)
        ListMembersPageController(lists: stores.lists, accounts: stores.accounts, pages: memberPages)
            .addEndpoints(to: endpoints)
        FollowedTagsPageController(tagFollows: stores.tagFollows, tags: stores.tags, pages: memberPages)
            .addEndpoints(to: endpoints)
    }

    /// The pages on which members change their account.
    func addSettings(_ media: MediaServices?, to endpoints: Endpoints) {
        SettingsPageController(pages: memberPages).addEndpoints(to: endpoints)
        ProfileSettingsPageController(accounts: stores.accounts, media: media, pages: memberPages).addEndpoints(
            to: endpoints)
        PreferencesPageController(accounts: stores.accounts, pages: memberPages).addEndpoints(to: endpoints)
        PasswordPageController(passwordChange: login.passwordChange, pages: memberPages).addEndpoints(to: endpoints)
        LoginsPageController(store: stores.tokens, tokens: login.tokens, pages: memberPages)
            .addEndpoints(to: endpoints)
        MutesAndBlocksPageController(mutes: stores.mutes, blocks: stores.blocks, pages: memberPages)
            .addEndpoints(to: endpoints)
        FiltersPageController(filters: stores.filters, pages: memberPages, clock: clock).addEndpoints(to: endpoints)
        ScheduledStatusesPageController(publishing: publishing, pages: memberPages).addEndpoints(to: endpoints)
        FilesPageController(services: uploads, media: media, pages: memberPages).addEndpoints(to: endpoints)
        InvitationsPageController(invitations: stores.invitations, pages: memberPages, clock: clock)
            .addEndpoints(to: endpoints)
        AccountDeletionPageController(
            passwords: login.passwords, moderation: stores.moderation, sessions: sessions, pages: memberPages
        ).addEndpoints(to: endpoints)
    }
}
