/// What an account can do with a status besides boosting it. The conversation's mute is the conversation's.
package enum StatusMark: String, Sendable, CaseIterable {
    case favourite, bookmark, pin
    case conversationMute = "conversation mute"
}
