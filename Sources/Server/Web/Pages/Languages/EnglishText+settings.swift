import FeedCore

extension EnglishText {
    // Settings

    var saved: String { "Saved." }

    func entry(_ page: SettingsPage) -> (title: String, text: String) {
        switch page {
        case .profile: ("Profile", "Name, picture, header, fields, and who finds you")
        case .preferences: ("Preferences", "Visibility and language of new posts, time zone, language, colours")
        case .password: ("Password", "Change it, which ends all other logins")
        case .logins: ("Logins and tokens", "Browsers, apps and programs of yours")
        case .mutes: ("Muted accounts", "Whose posts you do not see")
        case .blocks: ("Blocked accounts", "Who also does not see yours")
        case .lists: ("Lists", "Timelines of some of the people you follow")
        case .hashtags: ("Followed hashtags", "Posts with them are on your home page")
        case .filters: ("Filters", "Posts that you want to see folded, or not at all")
        case .scheduled: ("Scheduled posts", "Posts that are published later")
        case .files: ("Files", "Upload, replace, delete and attach files")
        case .invitations: ("Invitations", "Let people sign up")
        case .removal: ("Delete my account", "With everything that belongs to it")
        }
    }

    // Profile

    var displayName: String { "Display name" }
    var aboutYou: String { "About you" }
    var approvesFollowers: String { "I approve who follows me" }
    var isBot: String { "A program posts here" }
    var discoverable: String { "Suggest me to others" }
    var indexable: String { "Everyone may search my public posts" }
    var hideCollections: String { "Hide my followers and whom I follow" }
    var noindex: String { "Ask search engines to ignore me" }
    func fieldName(_ number: Int) -> String { "Field \(number)" }
    func fieldContent(_ number: Int) -> String { "Content of field \(number)" }
    var picture: String { "Picture" }
    var header: String { "Header" }
    var newPicture: String { "New picture" }
    var upload: String { "Upload" }
    var removePicture: String { "Remove the picture" }
    var removeHeader: String { "Remove the header" }

    // Preferences

    var newPostVisibility: String { "Who can see new posts" }
    var newPostMedia: String { "Hide the media of new posts until people ask for them" }
    var newPostLanguage: String { "Language of new posts" }
    var timeZone: String { "Time zone" }
    var timeZoneHint: String { "In which the pages show times, and in which you schedule posts." }
    var colours: String { "Colours of the pages" }
    var coloursOfBrowser: String { "As the browser prefers" }
    var light: String { "Light" }
    var dark: String { "Dark" }
    var pageLanguage: String { "Language of the pages" }
    var languageOfBrowser: String { "As the browser prefers" }

    // Password

    var changePassword: String { "Change password" }
    var otherLoginsEnd: String { "All other logins end: browsers, apps and tokens." }
    var currentPassword: String { "Current password" }
    var passwordAgain: String { "New password again" }

    // Logins

    func tokenNotice(_ name: String) -> String { "The token of “\(name)”. Copy it now: it is not shown again." }
    var newToken: String { "A token for a program" }
    var makeToken: String { "Make a token" }
    var tokenHint: String { "A program or script of yours sends it as Authorization: Bearer TOKEN." }
    var tokenName: String { "Name of the program" }
    var tokenScopes: String { "What the program may do" }
    var logins: String { "Logins" }
    var endLogin: String { "End this login" }
    var unnamedApplication: String { "Unnamed application" }
    func thisBrowser(_ name: String) -> String { "\(name) (this browser)" }
    func may(_ scopes: String) -> String { "May: \(scopes)" }

    func scope(_ scope: TokenScope) -> String {
        switch scope {
        case .read: "Read everything you can read"
        case .write: "Write: post, delete, upload, follow, change settings"
        case .writeStatuses: "Only post, edit and delete posts"
        case .writeMedia: "Only upload files and media"
        case .adminRead: "Read what moderators see"
        case .adminWrite: "Act as a moderator"
        }
    }

    // Hidden accounts

    func until(_ time: String) -> String { "Until \(time)" }
    func expired(on time: String) -> String { "Expired on \(time)" }
    var nobody: String { "Nobody." }

    // Filters

    var newFilter: String { "New filter" }
    var yourFilters: String { "Your filters" }
    var deleteFilter: String { "Delete the filter" }
    func matchesPosts(_ count: Int) -> String {
        "It also matches \(count) single \(count == 1 ? "post" : "posts"), which an app has added."
    }

    func filterPlace(_ context: Filter.Context) -> String {
        switch context {
        case .home: "Home and lists"
        case .notifications: "Notifications"
        case .public: "Public timelines"
        case .thread: "Conversations"
        case .account: "Profiles"
        }
    }

    var foldsPosts: String { "Folds posts" }
    var hidesPosts: String { "Hides posts" }
    var foldPosts: String { "Fold posts, and show the title of the filter" }
    var hidePosts: String { "Leave posts out" }
    var never: String { "Never" }
    var asItIsNever: String { "As it is: never" }
    func asItIs(expiring end: String) -> String { "As it is: \(end)" }
    var wholeWord: String { "Whole word" }
    var anywhere: String { "Anywhere" }
    var filterPlaces: String { "Where it applies" }
    var filterAction: String { "What it does" }
    var expiry: String { "When it expires" }
    func keyword(_ number: Int) -> String { "Keyword \(number)" }
    func keywordPlace(_ number: Int) -> String { "Where keyword \(number) matches" }
    var keywordHint: String { "A word, a phrase or a hashtag. Empty it to remove it." }
    func quoted(_ text: String) -> String { "“\(text)”" }

    // Durations

    func duration(_ duration: PageDuration) -> String {
        switch duration {
        case .minutes(let count): count == 1 ? "1 minute" : "\(count) minutes"
        case .hours(let count): count == 1 ? "1 hour" : "\(count) hours"
        case .days(let count): count == 1 ? "1 day" : "\(count) days"
        }
    }

    func durationFromNow(_ duration: PageDuration) -> String { "In " + self.duration(duration) }

    // Scheduled posts

    var nothingScheduled: String { "Nothing is scheduled. A new post can be published later." }
    var changeTime: String { "Change the time" }
    func dateAndTime(in zone: String) -> String { "Date and time (\(zone))" }
    func earliest(minutes: Int64) -> String { "At least \(minutes) minutes from now." }
    var scheduledPost: String { "Scheduled post" }
    var deleteScheduled: String { "Delete the post" }
    func files(_ count: Int) -> String { count == 1 ? "1 file" : "\(count) files" }

    // Files

    var noFiles: String { "No files yet." }
    var noSuchFiles: String { "No file has this in its name." }
    var moreFiles: String { "More files" }
    var filesArePublic: String { "Everyone who knows the address of a file can read it." }
    var find: String { "Find" }
    var partOfName: String { "Part of the name" }
    var replace: String { "Replace" }
    var newContent: String { "New content" }
    var attach: String { "Attach to a new post" }
    var deleteFile: String { "Delete the file" }
    var openFile: String { "Open the file" }
    func bytes(_ count: Int64) -> String { count == 1 ? "1 byte" : "\(count) bytes" }
    var decimalSeparator: String { "." }

    // Invitations

    var invite: String { "Invite" }
    var invitedPeople: String { "For how many people" }
    var invitationExpiry: String { "When it expires" }
    var revoke: String { "Revoke" }
    func invitation(used uses: Int, of maximum: Int, _ end: String) -> String { "Used \(uses) of \(maximum). \(end)" }

    // Removal

    var removeAccount: String { "Delete my account for good" }
    var removalWarning: String {
        """
        Your profile, posts, files, follows, favourites, notifications and logins are deleted, for everyone. \
        This cannot be undone.
        """
    }
    func nameStays(_ name: String) -> String { "Nobody else can have your name @\(name)." }
    var yourPassword: String { "Your password" }

    // Hashtags

    var followHashtag: String { "Follow a hashtag" }
    var nothingInHashtags: String { "Nothing here yet. Follow hashtags to see public posts with them at home." }

    // Logging in and signing up

    var almostThere: String { "Almost there" }
    var welcome: String { "Welcome" }
    var agreeToRules: String { "Please agree to the rules." }
    var pageExpired: String { "This page has expired. Please try again." }
    var loginExpired: String { "This page has expired. Please log in again." }
    var sendAgain: String { "Send again" }
    func logIn(for program: String) -> String { "Log in to let \(program) use your account" }
    func consent(for program: String) -> String { "Let \(program) use your account" }
    var allowAccess: String { "Allow access" }
    var yourCode: String { "Your code" }
    var notAllowed: String { "Not allowed" }
    func refusal(_ field: RegistrationError.Field, _ errors: [RegistrationError.FieldError]) -> String {
        field.label + " " + errors.map(\.message).joined(separator: " and ") + "."
    }
}
