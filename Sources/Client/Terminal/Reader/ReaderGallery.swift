/// The files of a status, one of which is shown on the whole screen.
package struct ReaderGallery: Sendable {
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

extension ReaderGallery {
    fileprivate var description: String {
        let text = shown.description.isEmpty ? "(no description)" : shown.description
        return "\(index + 1) of \(media.count): " + shown.title + ": " + text
    }

    /// The text that stands in place of a picture.
    fileprivate func message(isLoading: Bool) -> String? {
        switch picture {
        case .sequence, .lines: nil
        case nil where isLoading && shown.preview != nil: "Loading…"
        case nil, .missing: "There is no picture to show here; o opens the file in the browser."
        }
    }
}

/// A picture on the whole screen.
package enum ReaderPicture: Equatable, Sendable {
    /// Lines of colored characters.
    case lines([String])
    /// The escape sequence that shows the picture at the cursor.
    case sequence(String)
    /// The picture cannot be loaded, or the terminal cannot show it.
    case missing
}

/// The pictures that have been loaded for the detail: their lines, by their addresses.
package typealias ReaderPictures = [String: [String]]

extension ScreenBuffer {
    /// Draws a file of a status with its description.
    /// - Parameter isLoading: Whether a picture that is missing is being loaded.
    mutating func draw(_ gallery: ReaderGallery, _ layout: ReaderLayout, isLoading: Bool) {
        let (area, body) = (layout.picture, layout.body)
        fill(body)
        if case .lines(let lines)? = gallery.picture {
            for (row, line) in lines.prefix(area.rows).enumerated() {
                put(output: line, row: area.row + row, column: area.column, end: area.columns)
            }
        } else if let message = gallery.message(isLoading: isLoading) {
            put(message, row: area.row, column: 1, end: area.columns, style: .dim)
        }
        let lines = TextWrap.lines(SafeText.line(gallery.description), columns: max(2, columns - 2))
        let first = max(body.row, body.row + body.rows - ReaderLayout.descriptionRows)
        for (row, line) in zip(first..<max(first, body.row + body.rows), lines) {
            put(line, row: row, column: 1, end: columns, style: row == first ? .bold : .plain)
        }
    }
}

extension ReaderState {
    /// The sequence of a picture that is not made of characters, at its place. It is written after the cells, and disappears
    /// when the screen is cleared.
    package var picture: String? {
        guard case .viewing(let gallery) = mode, case .sequence(let sequence)? = gallery.picture else { return nil }
        return "\u{1B}[\(layout.picture.row + 1);\(layout.picture.column + 1)H" + sequence
    }
}
