/// The stores of one database.
package struct Stores: Sendable {
    package let accounts: AccountStore
    package let statuses: StatusStore
    package let edits: StatusEditing
    package let boosts: BoostStore
    package let timelines: TimelineStore
    package let scheduledStatuses: ScheduledStatusStore
    package let follows: FollowStore
    package let relationships: RelationshipStore
    package let blocks: BlockStore
    package let mutes: MuteStore
    package let notifications: NotificationStore
    package let filters: FilterStore
    package let endorsements: EndorsementStore
    package let notes: AccountNoteStore
    package let markers: MarkerStore
    package let lists: ListStore
    package let tagFollows: FollowedTagStore
    package let search: SearchStore
    package let files: FileStore
    package let media: MediaStore
    package let polls: PollStore
    package let applications: ApplicationStore
    package let tokens: TokenStore
    package let grants: GrantStore
    package let passwordResets: PasswordResetStore
    package let loginFailures: LoginFailureStore
    package let moderation: ModerationStore
    package let reports: ReportStore
    package let registrations: RegistrationStore
    package let invitations: InvitationStore
    package let conversations: ConversationStore
    package let tags: TagStore
    package let featuredTags: FeaturedTagStore
    package let trends: TrendStore
    package let suggestions: SuggestionStore
    package let changes: ChangeLogStore
    package let streams: StreamStore

    fileprivate init(_ database: FeedDatabase) {
        accounts = AccountStore(database)
        statuses = StatusStore(database)
        edits = StatusEditing(database)
        boosts = BoostStore(database)
        timelines = TimelineStore(database)
        scheduledStatuses = ScheduledStatusStore(database)
        follows = FollowStore(database)
        relationships = RelationshipStore(database)
        blocks = BlockStore(database)
        mutes = MuteStore(database)
        notifications = NotificationStore(database)
        filters = FilterStore(database)
        endorsements = EndorsementStore(database)
        notes = AccountNoteStore(database)
        markers = MarkerStore(database)
        lists = ListStore(database)
        tagFollows = FollowedTagStore(database)
        search = SearchStore(database)
        files = FileStore(database)
        media = MediaStore(database)
        polls = PollStore(database)
        applications = ApplicationStore(database)
        tokens = TokenStore(database)
        grants = GrantStore(database)
        passwordResets = PasswordResetStore(database)
        loginFailures = LoginFailureStore(database)
        moderation = ModerationStore(database)
        reports = ReportStore(database)
        registrations = RegistrationStore(database)
        invitations = InvitationStore(database)
        conversations = ConversationStore(database)
        tags = TagStore(database)
        featuredTags = FeaturedTagStore(database)
        trends = TrendStore(database)
        suggestions = SuggestionStore(database)
        changes = ChangeLogStore(database)
        streams = StreamStore(database)
    }
}

extension FeedDatabase {
    /// All stores, backed by this database.
    package var stores: Stores { Stores(self) }
}
