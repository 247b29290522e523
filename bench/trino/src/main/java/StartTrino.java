/** Starts a Trino server, which is published as a library; its configuration is named by -Dconfig. */
public class StartTrino {
  public static void main(String[] arguments) {
    new io.trino.server.Server().start("435");
  }
}
