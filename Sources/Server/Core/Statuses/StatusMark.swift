/// A mark that an account can set on a status. ``conversationMute`` applies to the whole conversation.
package enum StatusMark: String, Sendable, CaseIterable {
    case favourite, bookmark, pin
    case conversationMute = "conversation mute"
}
