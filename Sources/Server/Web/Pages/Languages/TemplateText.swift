import FeedCore

/// The words of the templates, which name them as `{{text.NAME}}`: parts of templates themselves, in HTML.
struct TemplateText: Sendable {
    // Every page
    let skip: String
    let search: String
    let site: String
    let more: String
    let logOut: String
    let aboutSite: String
    let contactColon: String
    let cancel: String

    // Page
    let backToTimeline: String
    let followInReader: String
    let searchIncomplete: String
    let pinnedPosts: String
    let newestPosts: String
    let morePeople: String
    let earlierPosts: String
    let moreReplies: String
    let timelinePages: String
    let newer: String
    let older: String

    // Status
    let filtered: String
    let edited: String
    let editedMark: String
    let boostedBy: String
    let inReplyTo: String
    let contentWarning: String
    let sensitiveMedia: String
    let poll: String
    let chooseSeveral: String
    let chooseOne: String
    let vote: String
    let inPollBy: String
    let yourChoice: String
    let pollClosed: String
    let pollOpen: String
    let resultsHidden: String
    let boosts: String
    let boostsColon: String
    let boostCount: String
    let favourites: String
    let favouritesColon: String
    let favouriteCount: String
    let visibilityColon: String
    let via: String
    let reply: String
    let replyTo: String
    let boost: String
    let favourite: String
    let bookmark: String
    let postByName: String
    let pin: String
    let pinWhat: String
    let edit: String
    let delete: String
    let ownPost: String
    let report: String
    let reportedPost: String
    let deletionWarning: String
    let keepIt: String

    // A file of a status
    let postBy: String
    let withoutDescription: String
    let originalFile: String
    let filesOfPost: String
    let previous: String
    let next: String

    // Profile
    let moreActions: String
    let muteFor: String
    let ever: String
    let anHour: String
    let aDay: String
    let aWeek: String
    let thirtyDays: String
    let notifications: String
    let hiddenToo: String
    let shown: String
    let mute: String
    let editNote: String
    let addNote: String
    let yourNote: String
    let livesIn: String
    let joined: String
    let posts: String
    let followers: String
    let following: String
    let postsOf: String
    let unread: String
    let new: String

    // Reports
    let backToProfile: String
    let reason: String
    let violatedRules: String

    // Lists
    let title: String
    let listReplies: String
    let listPosts: String

    // The form for posts
    let postByReply: String
    let text: String
    let textHint: String
    let optionalWarning: String
    let visibility: String
    let language: String
    let media: String
    let mediaDescription: String
    let focus: String
    let remove: String
    let descriptionHint: String
    let addUpTo: String
    let filesHint: String
    let addMedia: String
    let hideMedia: String
    let pollResets: String
    let answer: String
    let duration: String
    let severalAnswers: String
    let hideResults: String
    let publishLater: String
    let dateAndTime: String
    let scheduleHint: String

    // Logging in and signing up
    let usernameOrEmail: String
    let password: String
    let logIn: String
    let noAccount: String
    let signUp: String
    let thisIs: String
    let invitesYou: String
    let approvalHint: String
    let username: String
    let usernameHint: String
    let optionalEmail: String
    let passwordHint: String
    let joinReason: String
    let serverRules: String
    let agree: String
    let accountReady: String
    let openHome: String
    let signUpReceived: String
    let phoneHint: String
    let choosePassword: String
    let newPassword: String
    let setPassword: String

    // An application asks for access
    let wantsAccess: String
    let sentTo: String
    let codeShown: String
    let loggedInAs: String
    let allow: String
    let otherAccount: String
    let logInAndAllow: String
    let copyCode: String
    let accessDenied: String

    // About the site
    let rules: String
    let signUpHeading: String
    let contact: String
    let apps: String
    let appsHint: String
    let androidAndIPhone: String
    let android: String
    let apple: String
    let linux: String
    let and: String
    let browser: String

    // The operator's pages
    let administration: String
    let resetHint: String
    let newInvitation: String
    let invitationUses: String
    let invitationDays: String
    let create: String
    let accounts: String
    let usernameBegins: String
    let displayNameWord: String
    let emailBegins: String
    let state: String
    let onlyAdministrators: String

    // What script shows; single braces are what it fills in
    let oneNew: String
    let severalNew: String
    let manyNew: String
    let oneVote: String
    let severalVotes: String
    let oneVoter: String
    let severalVoters: String
    let failedNetwork: String
    let failedLogin: String
    let failedRate: String
    let failedRefused: String
    let olderFailed: String
    let uploadProgress: String
    let uploadWorking: String
    let uploadFailed: String
    let uploadKind: String
    let uploadHint: String
    let darkColours: String
    let lightColours: String
    let offline: String
    let draftBack: String
    let discard: String
    let describeQuestion: String
    let describeReason: String
    let describe: String
    let postAnyway: String
    let keys: String
    let nextPost: String
    let previousPost: String
    let openPost: String
    let replyToPost: String
    let newPost: String
    let thisList: String
    let useKeys: String
    let close: String
}

extension TemplateText {
    /// All words by their names.
    var named: [String: String] {
        Dictionary(
            uniqueKeysWithValues: Mirror(reflecting: self).children.compactMap { child in
                guard let name = child.label, let text = child.value as? String else { return nil }
                return (name, text)
            })
    }

    /// Puts the words into a template.
    /// - Parameters:
    ///   - source: The template in UTF-8.
    ///   - name: The name of the template, for messages.
    /// - Throws: ``FeedError`` `.storage` if the template names a word that does not exist.
    static func fill(_ source: [UInt8], with words: [String: String], name: String) throws(FeedError) -> [UInt8] {
        var (filled, rest) = ([UInt8](), source[...])
        while let start = rest.range(of: "{{text.") {
            let inside = rest[start.upperBound...]
            guard let end = inside.range(of: "}}") else {
                throw TemplateParser.malformed(name, "has a tag without an end")
            }
            let word = String(decoding: inside[..<end.lowerBound], as: UTF8.self)
            guard let text = words[word] else {
                throw TemplateParser.malformed(name, "contains the unknown text \(word)")
            }
            filled += rest[..<start.lowerBound] + Array(text.utf8)
            rest = rest[end.upperBound...]
        }
        return filled + rest
    }
}
