import ArgumentParser
import FeedTerminal
import Foundation

/// How pictures are shown.
enum ImageOption: String, ExpressibleByArgument, CaseIterable {
    case auto, none, kitty, iterm, sixel, blocks

    /// The help for the option.
    static let help: ArgumentHelp = """
        Show pictures: auto, none, kitty, iterm, sixel or blocks (colored characters, in any terminal). auto detects \
        the first three of these.
        """

    /// The protocol to use. The user's choice also holds for files and pipes.
    func pictureProtocol(_ screen: TerminalCapabilities) -> PictureProtocol {
        switch self {
        case .auto:
            PictureProtocol.detect(environment: ProcessInfo.processInfo.environment, isTerminal: screen.isOutput)
        case .none: .none
        case .kitty: .kitty
        case .iterm: .iterm
        case .sixel: .sixel
        // Half blocks are not ASCII.
        case .blocks: screen.isASCII ? .none : .blocks
        }
    }
}
