import FeedCore

/// The settings of members.
protocol SettingsText: Sendable {
    // Settings
    var saved: String { get }
    func entry(_ page: SettingsPage) -> (title: String, text: String)

    // Profile
    var displayName: String { get }
    var aboutYou: String { get }
    var approvesFollowers: String { get }
    var isBot: String { get }
    var discoverable: String { get }
    var indexable: String { get }
    var hideCollections: String { get }
    var noindex: String { get }
    func fieldName(_ number: Int) -> String
    func fieldContent(_ number: Int) -> String
    var picture: String { get }
    var header: String { get }
    var newPicture: String { get }
    var upload: String { get }
    var removePicture: String { get }
    var removeHeader: String { get }

    // Preferences
    var newPostVisibility: String { get }
    var newPostMedia: String { get }
    var newPostLanguage: String { get }
    var timeZone: String { get }
    var timeZoneHint: String { get }
    var colours: String { get }
    var coloursOfBrowser: String { get }
    var light: String { get }
    var dark: String { get }
    var pageLanguage: String { get }
    var languageOfBrowser: String { get }

    // Password
    var changePassword: String { get }
    var otherLoginsEnd: String { get }
    var currentPassword: String { get }
    var passwordAgain: String { get }

    // Logins
    func tokenNotice(_ name: String) -> String
    var newToken: String { get }
    var makeToken: String { get }
    var tokenHint: String { get }
    var tokenName: String { get }
    var tokenScopes: String { get }
    var logins: String { get }
    var endLogin: String { get }
    var unnamedApplication: String { get }
    func thisBrowser(_ name: String) -> String
    func may(_ scopes: String) -> String
    func scope(_ scope: TokenScope) -> String

    // Hidden accounts
    func until(_ time: String) -> String
    func expired(on time: String) -> String
    var nobody: String { get }

    // Filters
    var newFilter: String { get }
    var yourFilters: String { get }
    var deleteFilter: String { get }
    func matchesPosts(_ count: Int) -> String
    func filterPlace(_ context: Filter.Context) -> String
    var foldsPosts: String { get }
    var hidesPosts: String { get }
    var foldPosts: String { get }
    var hidePosts: String { get }
    var never: String { get }
    var asItIsNever: String { get }
    func asItIs(expiring end: String) -> String
    var wholeWord: String { get }
    var anywhere: String { get }
    var filterPlaces: String { get }
    var filterAction: String { get }
    var expiry: String { get }
    func keyword(_ number: Int) -> String
    func keywordPlace(_ number: Int) -> String
    var keywordHint: String { get }
    func quoted(_ text: String) -> String

    // Durations
    func duration(_ duration: PageDuration) -> String
    func durationFromNow(_ duration: PageDuration) -> String

    // Scheduled posts
    var nothingScheduled: String { get }
    var changeTime: String { get }
    func dateAndTime(in zone: String) -> String
    func earliest(minutes: Int64) -> String
    var scheduledPost: String { get }
    var deleteScheduled: String { get }
    func files(_ count: Int) -> String

    // Files
    var noFiles: String { get }
    var noSuchFiles: String { get }
    var moreFiles: String { get }
    var filesArePublic: String { get }
    var find: String { get }
    var partOfName: String { get }
    var replace: String { get }
    var newContent: String { get }
    var attach: String { get }
    var deleteFile: String { get }
    var openFile: String { get }
    func bytes(_ count: Int64) -> String
    var decimalSeparator: String { get }

    // Invitations
    var invite: String { get }
    var invitedPeople: String { get }
    var invitationExpiry: String { get }
    var revoke: String { get }
    func invitation(used uses: Int, of maximum: Int, _ end: String) -> String

    // Removal
    var removeAccount: String { get }
    var removalWarning: String { get }
    func nameStays(_ name: String) -> String
    var yourPassword: String { get }
}
