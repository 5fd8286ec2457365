import FeedCore

// Statuses, relationships and lists of the model.
extension StreamModel {
    struct Pair: Hashable {
        let from: Int
        let to: Int
        var turned: Pair { Pair(from: to, to: from) }
    }

    /// A status or a boost.
    struct Post {
        let id: Int64
        let author: Int
        let visibility: Visibility
        /// A word that no other version of any status contains.
        var word = ""
        var tags: Set<String> = []
        /// The people that the text mentions.
        var mentions: Set<Int> = []
        /// The people that the text mentions or once mentioned.
        var everMentioned: Set<Int> = []
        /// The author of the status to which this one replies.
        var parent: Int?
        /// The position of the first status of the conversation.
        var root: Int
        /// The position of the boosted status.
        var original: Int?
        var isAlive = true
        /// The people that could see the status when it was deleted because it had mentioned them.
        var witnesses: Set<Int> = []
        var deletedAt: Int64 = 0
    }

    /// The values that make a notification unique.
    struct Notice: Hashable {
        let recipient: Int
        let sender: Int
        let kind: String
        var post: Int?
    }

    /// A list that shows replies between its members.
    struct List {
        let owner: Int
        var members: Set<Int> = []
    }
}
