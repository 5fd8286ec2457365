/// The pictures that have been loaded for the detail: their lines, by their addresses.
package typealias ReaderPictures = [String: [String]]

/// A picture on the whole screen.
package enum ReaderPicture: Equatable, Sendable {
    /// Lines of colored characters.
    case lines([String])
    /// The escape sequence that shows the picture at the cursor.
    case sequence(String)
    /// The picture cannot be loaded, or the terminal cannot show it.
    case missing
}

/// The files of a status, one of which is shown on the whole screen.
package struct ReaderViewer: Sendable {
    package let media: [ReaderMedia]
    package private(set) var index = 0
    /// `nil` while it is being loaded.
    package private(set) var picture: ReaderPicture?

    package var shown: ReaderMedia { media[index] }

    /// - Parameter media: `nil` is returned if there are none.
    init?(_ media: [ReaderMedia]) {
        guard !media.isEmpty else { return nil }
        self.media = media
    }

    /// - Returns: Whether another file is shown.
    mutating func move(by count: Int) -> Bool {
        let next = max(0, min(index + count, media.count - 1))
        guard next != index else { return false }
        (index, picture) = (next, nil)
        return true
    }

    mutating func take(_ picture: ReaderPicture, at address: String) {
        if address == shown.preview { self.picture = picture }
    }

    /// Must be called when the picture no longer fits.
    mutating func forget() { picture = nil }

    /// Asks for the picture of the shown file.
    func effects(_ area: CellArea) -> [ReaderEffect] {
        shown.preview.map { [.picture($0, columns: area.columns, rows: area.rows)] } ?? []
    }
}
