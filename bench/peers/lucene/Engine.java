import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollector;
import org.apache.lucene.store.MMapDirectory;

/** Answers as `in-process.js` does: `java Engine.java DUMP.tsv FOLDER`, where a line of the dump has id, title, author, tags, content. */
class Engine {
  private static final String FIELD = "text";
  private static final int GAP = 100;

  public static void main(String[] args) throws Exception {
    Path folder = Files.createTempDirectory(Path.of(args[1]), "lucene");
    try (MMapDirectory directory = new MMapDirectory(folder)) {
      int records = index(Path.of(args[0]), directory);
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        IndexSearcher searcher = new IndexSearcher(reader);
        System.out.println("{\"records\":" + records + "}");
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) System.out.println(answer(searcher, line));
      }
    }
  }

  /** All searched values are one field, with a gap between them, so that no phrase goes from one to the next. */
  private static int index(Path dump, MMapDirectory directory) throws Exception {
    Analyzer analyzer = new Analyzer() {
      @Override
      protected TokenStreamComponents createComponents(String field) {
        Tokenizer words = new StandardTokenizer();
        return new TokenStreamComponents(words, new LowerCaseFilter(words));
      }

      @Override
      public int getPositionIncrementGap(String field) {
        return GAP;
      }
    };
    IndexWriterConfig config = new IndexWriterConfig(analyzer).setRAMBufferSizeMB(256);
    int records = 0;
    try (IndexWriter writer = new IndexWriter(directory, config); BufferedReader lines = Files.newBufferedReader(dump)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] values = line.split("\t", -1);
        Document document = new Document();
        document.add(new StoredField("id", Integer.parseInt(values[0])));
        for (int i : new int[] {1, 2, 4}) document.add(new TextField(FIELD, values[i], Field.Store.NO));
        for (String tag : values[3].split(" ")) document.add(new TextField(FIELD, tag, Field.Store.NO));
        writer.addDocument(document);
        records++;
      }
      writer.forceMerge(1);
    }
    return records;
  }

  private static final Pattern REQUEST =
      Pattern.compile("\"match\":\"(\\w+)\",\"words\":\\[([^\\]]*)\\],\"isTolerant\":(true|false)");
  private static final Pattern MAX_MS = Pattern.compile("\"maxMs\":([\\d.]+)");

  private static String answer(IndexSearcher searcher, String line) throws Exception {
    Matcher limit = MAX_MS.matcher(line);
    limit.find();
    List<Query> queries = new ArrayList<>();
    for (Matcher request = REQUEST.matcher(line); request.find(); ) queries.add(query(request));
    List<String> times = new ArrayList<>();
    List<String> found = new ArrayList<>();
    long endsAt = System.nanoTime() + (long) (Double.parseDouble(limit.group(1)) * 1e6);
    for (Query query : queries) {
      long startedAt = System.nanoTime();
      TopScoreDocCollector collector = TopScoreDocCollector.create(20, Integer.MAX_VALUE);
      searcher.search(query, collector);
      TopDocs top = collector.topDocs();
      List<String> ids = new ArrayList<>();
      for (ScoreDoc hit : top.scoreDocs) ids.add(searcher.doc(hit.doc).get("id"));
      long endedAt = System.nanoTime();
      times.add(String.valueOf((endedAt - startedAt) / 1e6));
      if (found.size() < 3) found.add("{\"total\":" + top.totalHits.value + ",\"ids\":[" + String.join(",", ids) + "]}");
      if (endedAt > endsAt) break;
    }
    return "{\"times\":[" + String.join(",", times) + "],\"found\":[" + String.join(",", found) + "]}";
  }

  private static Query query(Matcher request) {
    String[] words = request.group(2).replace("\"", "").split(",");
    if (request.group(1).equals("phrase")) return new PhraseQuery(FIELD, words);
    boolean isTolerant = request.group(3).equals("true");
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    for (String word : words) {
      Term term = new Term(FIELD, word);
      Query clause = isTolerant ? new FuzzyQuery(term, 1) : new TermQuery(term);
      query.add(clause, request.group(1).equals("all") ? Occur.MUST : Occur.SHOULD);
    }
    return query.build();
  }
}
