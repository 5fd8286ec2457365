import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal
import Foundation

/// Prints statuses with their pictures.
///
/// The renderer says which pictures are visible, ``PictureLoader`` gets them through the cache, and ``PictureEncoder``
/// decides from the head of each file whether the terminal can decode it; otherwise, ``PictureDecoder`` does. Whatever
/// fails leaves the description of the picture.
struct StatusOutput {
    /// Columns that are kept free for the marks of a conversation.
    static let threadInset = 16

    let images: ImageOption
    let global: GlobalOptions
    /// Whether to use only cached pictures.
    var onlyCached = false
    /// Columns in front of each status.
    var inset = 0

    /// - Parameters:
    ///   - renderer: Renders statuses without pictures.
    ///   - request: The pictures to load.
    ///   - lines: All lines, made with a renderer that shows pictures or does not.
    func show(
        _ renderer: StatusRenderer, _ request: StatusPictures.Request, lines: (StatusRenderer) -> [String]
    ) async throws {
        let plain = lines(renderer)
        let kind = pictureProtocol(for: plain)
        let shown = try await self.renderer(renderer, showing: request, as: kind)
        ScreenOutput().show(kind == .none ? plain : lines(shown), isPaged: Self.mayBePaged(kind))
    }

    /// The protocol for pictures between the lines. A pager passes on only half blocks; a user who chooses a protocol
    /// prefers pictures to the pager.
    func pictureProtocol(for lines: @autoclosure () -> [String]) -> PictureProtocol {
        if let fixedProtocol { return fixedProtocol }
        let output = ScreenOutput()
        return output.pager(for: lines()) == nil ? images.pictureProtocol(output.screen) : PictureProtocol.none
    }

    /// The protocol for pictures between any lines; `nil` if it depends on whether a pager is needed.
    var fixedProtocol: PictureProtocol? {
        let output = ScreenOutput()
        let kind = images.pictureProtocol(output.screen)
        let isFixed = kind == .none || kind == .blocks || images != .auto || output.pagerCommand == nil
        return isFixed ? kind : nil
    }

    /// Whether lines with such pictures may be shown in a pager.
    static func mayBePaged(_ kind: PictureProtocol) -> Bool { kind == .none || kind == .blocks }

    /// A renderer that shows the pictures of a single status.
    func renderer(_ renderer: StatusRenderer, for status: Entity.Status) async throws -> StatusRenderer {
        var request = StatusPictures.Request()
        request.add(status.reblog?.value ?? status, shownBy: renderer)
        return try await self.renderer(renderer, showing: request, as: images.pictureProtocol(.current()))
    }

    /// A renderer that shows pictures.
    private func renderer(
        _ renderer: StatusRenderer, showing request: StatusPictures.Request, as kind: PictureProtocol
    ) async throws -> StatusRenderer {
        try await load(request, for: renderer, as: kind, onlyCached: onlyCached).shown(by: renderer)
    }

    /// Loads pictures.
    /// - Parameters:
    ///   - request: The pictures of the next statuses.
    ///   - loaded: The pictures of the statuses before them.
    ///   - onlyCached: Whether to use only cached pictures.
    func load(
        _ request: StatusPictures.Request, after loaded: StatusPictures = StatusPictures(),
        for renderer: StatusRenderer, as kind: PictureProtocol, onlyCached: Bool = false
    ) async throws -> StatusPictures {
        guard kind != .none else { return loaded }
        let encoder = PictureEncoder(kind: kind, columns: max(1, renderer.pictureColumns - inset))
        let loader = PictureLoader(global: global, onlyCached: onlyCached)
        return try await loaded.loading(request, for: encoder, with: loader)
    }
}

/// The ways to show pictures.
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
