import FeedStore

/// The composition of the settings.
extension Services {
    func addSettings(_ media: MediaServices?, to endpoints: Endpoints) {
        SettingsController(pages: memberPages).addEndpoints(to: endpoints)
        ProfileFormController(accounts: stores.accounts, media: media, pages: memberPages).addEndpoints(to: endpoints)
        PreferenceController(accounts: stores.accounts, pages: memberPages).addEndpoints(to: endpoints)
        PasswordPageController(passwordChange: login.passwordChange, pages: memberPages).addEndpoints(to: endpoints)
        LoginListController(store: stores.tokens, tokens: login.tokens, pages: memberPages)
            .addEndpoints(to: endpoints)
        HiddenAccountController(mutes: stores.mutes, blocks: stores.blocks, pages: memberPages)
            .addEndpoints(to: endpoints)
        FilterPageController(filters: stores.filters, pages: memberPages, clock: clock).addEndpoints(to: endpoints)
        ScheduledPageController(publishing: publishing, pages: memberPages).addEndpoints(to: endpoints)
        FilePageController(services: uploads, media: media, pages: memberPages).addEndpoints(to: endpoints)
        InvitationPageController(registrations: stores.registrations, pages: memberPages, clock: clock)
            .addEndpoints(to: endpoints)
        RemovalPageController(
            passwords: login.passwords, moderation: stores.moderation, sessions: sessions, pages: memberPages
        ).addEndpoints(to: endpoints)
    }
}
