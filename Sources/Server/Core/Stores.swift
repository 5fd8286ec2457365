/// The stores of one database.
package struct Stores: Sendable {
    package var accounts: any AccountStoring
    package var statuses: any StatusStoring
    package var scheduledStatuses: any ScheduledStatusStoring
    package var follows: any FollowStoring
    package var relationships: any RelationshipStoring
    package var blocks: any BlockStoring
    package var mutes: any MuteStoring
    package var notifications: any NotificationStoring
    package var filters: any FilterStoring
    package var endorsements: any EndorsementStoring
    package var notes: any AccountNoteStoring
    package var markers: any MarkerStoring
    package var lists: any ListStoring
    package var tagFollows: any TagFollowStoring
    package var search: any SearchStoring
    package var files: any FileStoring
    package var media: any MediaStoring
    package var polls: any PollStoring
    package var applications: any ApplicationStoring
    package var tokens: any TokenStoring
    package var grants: any GrantStoring
    package var loginFailures: any LoginFailureStoring
    package var moderation: any ModerationStoring
    package var reports: any ReportStoring
    package var registrations: any RegistrationStoring
    package var conversations: any ConversationStoring
    package var tags: any TagStoring
    package var trends: any TrendStoring
    package var discovery: any DiscoveryStoring
    package var changes: any ChangeLog
    package var streams: any StreamStoring

    package init(
        accounts: any AccountStoring, statuses: any StatusStoring,
        scheduledStatuses: any ScheduledStatusStoring, follows: any FollowStoring,
        relationships: any RelationshipStoring, blocks: any BlockStoring, mutes: any MuteStoring,
        notifications: any NotificationStoring, filters: any FilterStoring, endorsements: any EndorsementStoring,
        notes: any AccountNoteStoring, markers: any MarkerStoring, lists: any ListStoring,
        tagFollows: any TagFollowStoring, search: any SearchStoring,
        files: any FileStoring, media: any MediaStoring, polls: any PollStoring,
        applications: any ApplicationStoring, tokens: any TokenStoring, grants: any GrantStoring,
        loginFailures: any LoginFailureStoring,
        moderation: any ModerationStoring,
        reports: any ReportStoring, registrations: any RegistrationStoring,
        conversations: any ConversationStoring, tags: any TagStoring, trends: any TrendStoring,
        discovery: any DiscoveryStoring, changes: any ChangeLog, streams: any StreamStoring
    ) {
        self.accounts = accounts
        self.statuses = statuses
        self.scheduledStatuses = scheduledStatuses
        self.follows = follows
        self.relationships = relationships
        self.blocks = blocks
        self.mutes = mutes
        self.notifications = notifications
        self.filters = filters
        self.endorsements = endorsements
        self.notes = notes
        self.markers = markers
        self.lists = lists
        self.tagFollows = tagFollows
        self.search = search
        self.files = files
        self.media = media
        self.polls = polls
        self.applications = applications
        self.tokens = tokens
        self.grants = grants
        self.loginFailures = loginFailures
        self.moderation = moderation
        self.reports = reports
        self.registrations = registrations
        self.conversations = conversations
        self.tags = tags
        self.trends = trends
        self.discovery = discovery
        self.changes = changes
        self.streams = streams
    }
}
