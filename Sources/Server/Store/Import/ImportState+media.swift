package import FeedCore
import Synchronization

extension ImportState {
    /// Notes the avatar and the header of a new account.
    mutating func notePictures(of record: ImportRecord.Account, _ account: Int64, line: Int) throws {
        for (text, place) in [(record.avatar, ImportFile.Place.avatar), (record.header, .header)] {
            guard let text else { continue }
            files.append(ImportFile(try ImportPath(text), place, of: account, line: line))
        }
    }

    /// Notes the files of a new status.
    mutating func noteMedia(of record: ImportRecord.Status, _ status: Int64, by account: Int64, line: Int) throws {
        let media = record.media ?? []
        try AttachmentRule.check(count: media.count, limits)
        for entry in media {
            let (path, changes) = try entry.changes(limits)
            files.append(ImportFile(path, .status(status), of: account, line: line, changes: changes))
        }
    }

    /// Stores files that have been processed. Those of a status must be passed together.
    mutating func attach(_ imported: [ImportedFile], in db: Database) throws {
        for file in imported { try setPicture(file, in: db) }
        var attached: [Int64: [ImportedFile]] = [:]
        for file in imported {
            if case .status(let id) = file.file.place { attached[id, default: []].append(file) }
        }
        for (status, files) in attached { try attach(files, to: status, in: db) }
        report.media += imported.count
    }

    private func setPicture(_ imported: ImportedFile, in db: Database) throws {
        let column: String
        switch imported.file.place {
        case .avatar: column = "avatar"
        case .header: column = "header"
        case .status: return
        }
        guard let image = imported.blobs.first, let still = imported.blobs.last else { return }
        try db.execute(
            """
            UPDATE account SET \(sql: column) = \(image.hash), \(sql: column)_static = \(still.hash)
            WHERE id = \(imported.file.account)
            """)
    }

    private func attach(_ imported: [ImportedFile], to status: Int64, in db: Database) throws {
        let ids = try imported.map { entry in
            var media = StoredMedia(
                id: try db.nextID(now: now), accountID: entry.file.account, key: Secret.randomText(),
                createdAt: now)
            media.apply(entry.processed)
            entry.file.changes.apply(to: &media)
            try MediaRow.insert(media, in: db)
            try db.execute("UPDATE media SET status_id = \(status) WHERE id = \(media.id)")
            return media.id
        }
        try db.execute("UPDATE status SET media_ids = \(StatusRow.pack(ids)) WHERE id = \(status)")
    }
}

extension ImportSession {
    /// The number of rows deleted per transaction.
    private static let sweepBatch = 500

    /// The files that staged records name and that have not been returned before. They have to be attached before the
    /// import is published.
    package func takeFiles() -> [ImportFile] {
        state.withLock { state in
            defer { state.files = [] }
            return state.files
        }
    }

    /// Stores processed files with the staged records that name them. All files of a status must be passed together.
    /// - Throws: ``FeedError``; call ``abandon()`` then.
    package func attach(_ files: [ImportedFile]) async throws {
        try await database.commits.write(isRepeatable: false) { [self] db in
            try requireStaged(in: db)
            try state.withLock { try $0.attach(files, in: db) }
        }
    }

    /// Deletes the media of unpublished imports, and lists their blobs for collection.
    /// - Parameter staged: A query of the ids of the imports.
    static func sweepMedia(_ database: FeedDatabase, _ staged: SQL) async throws {
        while try await database.commits.write({ db in
            guard try db.fetchOne("SELECT id FROM staged_import LIMIT 1", as: Int64.self) != nil else { return false }
            let (files, pictures) = (try attachments(staged, in: db), try pictures(staged, in: db))
            return files + pictures > 0
        }) {}
    }

    /// - Returns: The number of deleted attachments.
    private static func attachments(_ staged: SQL, in db: Database) throws -> Int {
        let attachments = try db.fetchAll(
            """
            SELECT \(sql: MediaRow.columns) FROM media m JOIN status s ON s.id = m.status_id
            WHERE s.import_id IN (\(staged)) LIMIT \(sweepBatch)
            """
        ).map(MediaRow.decode)
        for media in attachments { try MediaStore.remove(media, in: db) }
        return attachments.count
    }

    /// - Returns: The number of accounts that have lost their avatar or header.
    private static func pictures(_ staged: SQL, in db: Database) throws -> Int {
        let accounts = try db.fetchAll(
            """
            SELECT \(sql: AccountRow.columns) FROM account a
            WHERE a.import_id IN (\(staged)) AND (a.avatar IS NOT NULL OR a.header IS NOT NULL) LIMIT \(sweepBatch)
            """
        ).map { try AccountRow.decode($0) }
        for account in accounts {
            for hash in account.pictures {
                try FileStore.recordReplaced(Blob(hash: hash, size: 0), of: nil, in: db)
            }
            try db.execute(
                """
                UPDATE account SET avatar = NULL, header = NULL, avatar_static = NULL, header_static = NULL
                WHERE id = \(account.id)
                """)
        }
        return accounts.count
    }
}
