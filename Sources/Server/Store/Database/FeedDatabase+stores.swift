package import FeedCore

extension FeedDatabase {
    /// All stores, backed by this database.
    package var stores: Stores {
        Stores(
            accounts: AccountStore(self), statuses: StatusStore(self),
            scheduledStatuses: ScheduledStatusStore(self), follows: FollowStore(self),
            relationships: RelationshipStore(self), blocks: BlockStore(self), mutes: MuteStore(self),
            notifications: NotificationStore(self), filters: FilterStore(self),
            endorsements: EndorsementStore(self), notes: AccountNoteStore(self), markers: MarkerStore(self),
            lists: ListStore(self), tagFollows: TagFollowStore(self), search: SearchStore(self),
            files: FileStore(self), media: MediaStore(self), polls: PollStore(self),
            applications: ApplicationStore(self), tokens: TokenStore(self),
            grants: GrantStore(self), loginFailures: LoginFailureStore(self),
            moderation: ModerationStore(self), reports: ReportStore(self), registrations: RegistrationStore(self),
            conversations: ConversationStore(self), tags: TagStore(self), trends: TrendStore(self),
            discovery: DiscoveryStore(self), changes: ChangeStore(self), streams: StreamStore(self))
    }
}
